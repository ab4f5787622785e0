package dev.millrace.exchange;

import dev.millrace.example.Example;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.IndexRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One pass over a set, whose bytes are counted: the real replicas, coordinator and blocks, without
 * Flink, one after the other in one thread. Alike each time.
 */
final class MeasuredJob {

  /** Divides the hold-out sets' sizes. */
  private static final int AT_ONCE = 500;

  private static final int FIRST = 1_500;

  /**
   * How the job learns.
   *
   * @param share of {@code batch} examples of each replica a step
   * @param localSteps before each contribution
   */
  record Ways(
      InitialModel initial,
      BlockLayout layout,
      Combiner combiner,
      ReplicaRules rules,
      JobShare share,
      int batch,
      int localSteps) {}

  private final ExampleSet data;
  private final Ways ways;
  private final List<GlobalBlock> blocks = new ArrayList<>();
  private final GlobalModelCopy told;
  private final List<Replica> replicas = new ArrayList<>();
  private final Coordinator coordinator;

  /** Deliveries that replicas have yet to hear of, since they train meanwhile. */
  private final List<Runnable> late = new ArrayList<>();

  private long bytes;
  private long contributed;
  private long learned;
  private Measures first = Measures.NONE;
  private double before;

  MeasuredJob(ExampleSet data, Ways ways) {
    this.data = data;
    this.ways = ways;
    this.told = new GlobalModelCopy(true, ways.layout());
    this.coordinator =
        new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 1, ways.share().ofStep()));
    for (int block = 0; block < ways.layout().count(); block++) {
      blocks.add(new GlobalBlock(block));
    }
    for (int index = 0; index < ways.share().replicas(); index++) {
      start(index);
    }
    tellHead();
    for (GlobalBlock block : blocks) {
      tell(block, true);
    }
    hear();
  }

  private void start(int index) {
    Replica replica =
        new Replica(
            index,
            ModelEngine.named(ways.initial().spec().engine())
                .build(ways.initial().spec(), DeviceRequest.any()),
            ways.layout(),
            ways.rules(),
            ways.share(),
            ReplicaHooks.NONE,
            () -> 0);
    replica.begin(ways.initial());
    replicas.add(replica);
    coordinator.hello(new Hello(index, ways.share().replicas(), "home"));
    for (GlobalBlock block : blocks) {
      if (index == 0) {
        Pull offer = replica.offer(block.block(), ways.initial().serverOptimizer(), "home");
        block.initialize(offer.initial(), offer.serverOptimizer(), ways.combiner());
      }
    }
  }

  /** The layers of a network, whose changes are of one scale each. */
  static List<IndexRange> layers(ModelSpec spec) {
    List<IndexRange> layers = new ArrayList<>();
    int from = 0;
    for (LayerDescription layer :
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration())) {
      if (layer.parameters().to() > from) {
        layers.add(new IndexRange(from, layer.parameters().to()));
        from = layer.parameters().to();
      }
    }
    return layers;
  }

  /** Learns the training images, and contributes what is left at the end. */
  void run() throws IOException {
    Example example = new Example(data.shape());
    List<Minibatch> minibatches = new ArrayList<>();
    replicas.forEach(any -> minibatches.add(new Minibatch(data.shape(), ways.batch())));
    long offset = 0;
    try (ExampleSequence training = data.training()) {
      while (training.next(example)) {
        int index = (int) (offset % replicas.size());
        minibatches
            .get(index)
            .add(example.features(), example.labels(), 1, new Partition("t", index), offset++);
        if (index == replicas.size() - 1 && minibatches.get(index).isFull()) {
          learn(minibatches);
        }
      }
    }
    hear();
    before = accuracy();
    for (Replica replica : replicas) {
      replica.contributeLast(this::take).ifPresent(this::announce);
    }
    makeRounds();
    hear();
  }

  private void learn(List<Minibatch> minibatches) {
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      learned += ways.batch();
      if (!replica.mayTrain()) {
        throw new AssertionError("A replica doesn't learn");
      }
      Measures measures = replica.learn(minibatches.get(index), (partition, at, reason) -> {});
      first = learned <= FIRST ? first.plus(measures) : first;
      minibatches.get(index).clear();
    }
    hear();
    for (Replica replica : replicas) {
      if (replica.isDue()) {
        announce(replica.contribute(this::take));
      }
    }
    makeRounds();
    if (ways.rules().schedule().waits()) {
      hear();
    }
  }

  private void take(Contribution contribution) {
    contributed += contribution.payload().length();
    bytes += contribution.payload().length();
    blocks.get(contribution.block()).add(contribution);
  }

  private void announce(CoordinatorMessage message) {
    coordinator.announce((Announcement) message);
  }

  private void makeRounds() {
    while (coordinator.ready()) {
      List<Decision> decisions =
          coordinator.close(WholeRound.OF_ALL).decisions(blocks.size(), false);
      tellHead();
      for (Decision decision : decisions) {
        GlobalBlock block = blocks.get(decision.block());
        block.add(decision);
        if (block.advance(ways.combiner()).isOfMembers()) {
          bytes += replicas.size() * tell(block, false);
        }
      }
    }
  }

  private void tellHead() {
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      RoundHead head = coordinator.head(ways.localSteps(), false);
      Standing standing = coordinator.standing(index);
      late.add(() -> replica.accept(head, standing));
    }
  }

  private long tell(GlobalBlock block, boolean whole) {
    Feedback feedback = block.feedback(ways.combiner(), whole);
    BlockUpdate update =
        told.take(
            feedback instanceof BlockUpdate all
                ? new BlockUpdate(all.block(), all.round(), all.values().clone())
                : feedback);
    replicas.forEach(replica -> late.add(() -> replica.accept(update)));
    return feedback.bytes();
  }

  /** Replicas take in what has come. */
  private void hear() {
    late.forEach(Runnable::run);
    late.clear();
  }

  /** Returns the bytes of all contributions, and of all feedback to each replica. */
  long bytes() {
    return bytes;
  }

  /** Returns the bytes of all contributions alone. */
  long contributed() {
    return contributed;
  }

  int parameters() {
    return ways.initial().spec().parameters();
  }

  long learned() {
    return learned;
  }

  long rounds() {
    return coordinator.version().round();
  }

  /** How the first 1,500 examples were predicted before they were learned. */
  Measures first() {
    return first;
  }

  /** Accuracy of the global model before the last contributions. */
  double before() {
    return before;
  }

  /** On the hold-out set, of the global model. */
  double accuracy() throws IOException {
    Example example = new Example(data.shape());
    float[] features = new float[AT_ONCE * data.shape().features()];
    int[] labels = new int[AT_ONCE];
    int right = 0;
    int all = 0;
    try (ModelReplica model =
            ModelEngine.named(ways.initial().spec().engine())
                .build(ways.initial().spec(), DeviceRequest.any());
        ExampleSequence holdOut = data.holdOut()) {
      for (GlobalBlock block : blocks) {
        float[] values = block.update().values();
        model.write(ways.layout().offset(block.block()), values, 0, values.length);
      }
      while (holdOut.next(example)) {
        int row = all++ % AT_ONCE;
        float[] image = example.features();
        System.arraycopy(image, 0, features, row * image.length, image.length);
        labels[row] = largest(example.labels(), 0);
        if (row == AT_ONCE - 1) {
          right += right(model, features, labels);
        }
      }
    }
    return (double) right / all;
  }

  private int right(ModelReplica model, float[] features, int[] labels) {
    int classes = data.shape().outputs();
    float[] probabilities = new float[AT_ONCE * classes];
    model.predict(features, AT_ONCE, probabilities);
    int right = 0;
    for (int row = 0; row < AT_ONCE; row++) {
      right += largest(probabilities, row * classes) == labels[row] ? 1 : 0;
    }
    return right;
  }

  private int largest(float[] values, int from) {
    int largest = 0;
    for (int i = 1; i < data.shape().outputs(); i++) {
      largest = values[from + i] > values[from + largest] ? i : largest;
    }
    return largest;
  }
}
