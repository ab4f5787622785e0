package dev.millrace.exchange;

import dev.millrace.example.Example;
import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.IndexRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How few bytes one pass over Fashion-MNIST needs, and what that costs of accuracy: LeNet, the real
 * replicas, coordinator and blocks in one thread, under a schedule that waits. Prints the table of
 * docs/internals/exchange.md. {@code -Dmillrace.fashion-mnist=DIR} with the four files; {@code
 * -Dmillrace.few-bytes=replicas,steps,share,decay,server-rate,rate;…} chooses rows, {@code
 * -Dmillrace.few-bytes.seed} the initial weights. A row of one replica is plain learning.
 */
@EnabledIfSystemProperty(named = "millrace.fashion-mnist", matches = ".+")
public class FewBytesBenchmark {

  private static final int BATCH = 32;

  /** Divides the hold-out set's 10,000. */
  private static final int AT_ONCE = 500;

  /** 64 kB of floats, as by default. */
  private static final int BLOCK_SIZE = 1 << 14;

  private static final long SEED = Long.getLong("millrace.few-bytes.seed", 1);

  private static final String ROWS =
      System.getProperty(
          "millrace.few-bytes",
          "1,3,1,1,1,0.01;4,8,0.02,0.95,1.5,0.03;4,15,0.0108,0.99,2,0.03"
              + ";4,15,0.0115,0.99,2,0.03;4,30,0.025,0.95,1.5,0.03;8,4,0.0125,0.95,3,0.03");

  @Test
  public void table() throws IOException {
    System.out.println(
        "| replicas | k | share | decay | server rate | rate | before the last | accuracy |"
            + " rounds | MB | fewer | s |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (String row : ROWS.split(";", -1)) {
      long start = System.nanoTime();
      Job job = new Job(row.split(",", -1));
      job.run();
      double examples = job.learned;
      double everyStep = 2.0 * Float.BYTES * job.initial.spec().parameters() * examples / BATCH;
      System.out.printf(
          Locale.ROOT,
          "| %s | %.4f | %.4f | %d | %.2f | %.0f | %.0f |%n",
          row.replace(",", " | "),
          job.before,
          job.accuracy(),
          job.coordinator.version().round(),
          job.bytes / 1e6,
          everyStep / job.bytes,
          (System.nanoTime() - start) / 1e9);
    }
  }

  /** Replicas that wait for each round, and make their steps one after another. */
  private static final class Job {

    private final ExampleSet data =
        DataSpec.parse("idx:" + System.getProperty("millrace.fashion-mnist")).open();
    private final int localSteps;
    private final Codec codec;
    private final double decay;
    final InitialModel initial;
    private final BlockLayout layout;
    private final Combiner combiner;
    private final List<GlobalBlock> blocks = new ArrayList<>();
    private final GlobalModelCopy told;
    private final List<Replica> replicas = new ArrayList<>();
    final Coordinator coordinator;

    /** Of all contributions, and of all feedback to each replica. */
    long bytes;

    long learned;

    /** Accuracy of the global model before the last contributions. */
    double before;

    Job(String[] row) throws IOException {
      int count = Integer.parseInt(row[0]);
      localSteps = Integer.parseInt(row[1]);
      double share = Double.parseDouble(row[2]);
      codec = share < 1 ? Codec.twoBitTopK(share) : Codec.float32();
      decay = Double.parseDouble(row[3]);
      coordinator =
          new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 1, BATCH * count));
      initial =
          ModelEngine.named("dl4j")
              .define(
                  new BuiltIn(
                      "lenet",
                      data.shape(),
                      List.of(),
                      List.of(),
                      "nesterovs",
                      Double.parseDouble(row[5]),
                      0.9,
                      0,
                      SEED));
      layout = initial.spec().layout(BLOCK_SIZE, false);
      combiner =
          new Combiner(
              layout,
              Aggregator.weightedMean(),
              ServerOptimizer.none(Double.parseDouble(row[4])),
              new FeedbackCodecs(share < 1 ? codec : null, null));
      told = new GlobalModelCopy(true, layout);
      for (int block = 0; block < layout.count(); block++) {
        blocks.add(new GlobalBlock(block));
      }
      for (int index = 0; index < count; index++) {
        start(index, count);
      }
      tellHead();
      for (GlobalBlock block : blocks) {
        tell(block, true);
      }
    }

    private void start(int index, int count) {
      ContributionCodecs codecs = new ContributionCodecs(codec, Codec.float32(), segments(), decay);
      Replica replica =
          new Replica(
              index,
              ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.any()),
              layout,
              new ReplicaRules(
                  Schedule.every(localSteps, true),
                  codecs,
                  false,
                  false,
                  new ContributionGuard(10)),
              new JobShare(count, BATCH * count, RateFactors.NONE),
              ReplicaHooks.NONE,
              () -> 0);
      replica.begin(initial);
      replicas.add(replica);
      coordinator.hello(new Hello(index, count, "home"));
      for (GlobalBlock block : blocks) {
        if (index == 0) {
          Pull offer = replica.offer(block.block(), initial.serverOptimizer(), "home");
          block.initialize(offer.initial(), offer.serverOptimizer(), combiner);
        }
      }
    }

    /** The layers. */
    private List<IndexRange> segments() {
      List<IndexRange> segments = new ArrayList<>();
      int from = 0;
      for (LayerDescription layer :
          ModelEngine.named("dl4j")
              .describe(initial.spec().kind(), initial.spec().configuration())) {
        if (layer.parameters().to() > from) {
          segments.add(new IndexRange(from, layer.parameters().to()));
          from = layer.parameters().to();
        }
      }
      return segments;
    }

    void run() throws IOException {
      Example example = new Example(data.shape());
      List<Minibatch> minibatches = new ArrayList<>();
      replicas.forEach(any -> minibatches.add(new Minibatch(data.shape(), BATCH)));
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
      before = accuracy();
      for (Replica replica : replicas) {
        replica.contributeLast(this::take).ifPresent(this::announce);
      }
      makeRounds();
    }

    private void learn(List<Minibatch> minibatches) {
      for (int index = 0; index < replicas.size(); index++) {
        Replica replica = replicas.get(index);
        learned += BATCH;
        if (!replica.mayTrain()
            || replica.learn(minibatches.get(index), (partition, at, reason) -> {}).examples()
                == 0) {
          throw new AssertionError("A replica doesn't learn");
        }
        minibatches.get(index).clear();
        if (replica.isDue()) {
          announce(replica.contribute(this::take));
        }
      }
      makeRounds();
    }

    private void take(Contribution contribution) {
      bytes += contribution.payload().length();
      blocks.get(contribution.block()).add(contribution);
    }

    private void announce(CoordinatorMessage message) {
      coordinator.announce((Announcement) message);
    }

    private void makeRounds() {
      while (coordinator.ready()) {
        List<Decision> decisions =
            coordinator.close(WholeRound.OF_ALL).decisions(layout.count(), false);
        tellHead();
        for (Decision decision : decisions) {
          GlobalBlock block = blocks.get(decision.block());
          block.add(decision);
          if (block.advance(combiner).isOfMembers()) {
            bytes += replicas.size() * tell(block, false);
          }
        }
      }
    }

    private void tellHead() {
      for (int index = 0; index < replicas.size(); index++) {
        replicas
            .get(index)
            .accept(coordinator.head(localSteps, false), coordinator.standing(index));
      }
    }

    private long tell(GlobalBlock block, boolean whole) {
      Feedback feedback = block.feedback(combiner, whole);
      BlockUpdate update =
          told.take(
              feedback instanceof BlockUpdate all
                  ? new BlockUpdate(all.block(), all.round(), all.values().clone())
                  : feedback);
      replicas.forEach(replica -> replica.accept(update));
      return feedback.bytes();
    }

    /** On the hold-out set, of the global model. */
    double accuracy() throws IOException {
      Example example = new Example(data.shape());
      float[] features = new float[AT_ONCE * data.shape().features()];
      int[] labels = new int[AT_ONCE];
      int right = 0;
      int all = 0;
      try (ModelReplica model =
              ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.any());
          ExampleSequence holdOut = data.holdOut()) {
        for (GlobalBlock block : blocks) {
          float[] values = block.update().values();
          model.write(layout.offset(block.block()), values, 0, values.length);
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
}
