package dev.millrace.exchange;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.SteeringController;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A job whose replicas wait for each round, and make their steps one after another: without Flink,
 * and alike each time.
 */
final class LockStepJob {

  /** Examples that a step of the whole job takes. */
  static final int OF_STEP = 32;

  /** Local steps of a replica before each round. */
  static final int LOCAL_STEPS = 3;

  private static final int BLOCK_SIZE = 64;

  /**
   * What a job does beside averaging.
   *
   * @param codec of contributions
   */
  record Ways(
      Codec codec,
      ServerOptimizer optimizer,
      FeedbackCodecs feedback,
      Averaging averaging,
      List<ReplicaHookFactory> hooks) {

    /** Nothing beside. */
    static Ways of(Codec codec) {
      return new Ways(
          codec, ServerOptimizer.none(1), FeedbackCodecs.WHOLE, Averaging.NONE, List.of());
    }
  }

  private final InitialModel initial;
  private final BlockLayout layout;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks;
  private final List<RecordedModel> models = new ArrayList<>();
  private final List<Replica> replicas = new ArrayList<>();
  private final Coordinator coordinator;
  private final Ways ways;

  /** A new job, whose contributions leave nothing out. */
  LockStepJob(InitialModel initial, int replicas, RateFactors rates) {
    this(initial, Codec.float32(), replicas, rates);
  }

  /** A new job. */
  LockStepJob(InitialModel initial, Codec codec, int replicas, RateFactors rates) {
    this(initial, Ways.of(codec), replicas, rates);
  }

  /** A new job. */
  LockStepJob(InitialModel initial, Ways ways, int replicas, RateFactors rates) {
    this(
        initial,
        ways,
        new ArrayList<>(),
        new Coordinator(
            ModelTotals.open(new FeatureStatistics(0), initial.iteration(), 100, OF_STEP)));
    for (int block = 0; block < layout.count(); block++) {
      blocks.add(new GlobalBlock(block));
    }
    for (int index = 0; index < replicas; index++) {
      add(index, replicas, rates);
    }
    this.replicas.forEach(replica -> replica.begin(initial));
    start(true);
  }

  private LockStepJob(
      InitialModel initial, Ways ways, List<GlobalBlock> blocks, Coordinator coordinator) {
    this.initial = initial;
    this.ways = ways;
    this.layout = initial.spec().layout(BLOCK_SIZE, true);
    this.combiner =
        new Combiner(
            layout, Aggregator.weightedMean(), ways.optimizer(), ways.feedback(), ways.averaging());
    this.blocks = blocks;
    this.coordinator = coordinator;
  }

  private void add(int index, int count, RateFactors rates) {
    RecordedModel model =
        new RecordedModel(
            ModelEngine.named(initial.spec().engine()).build(initial.spec(), DeviceRequest.any()));
    models.add(model);
    replicas.add(
        new Replica(
            index,
            model,
            layout,
            new ReplicaRules(
                Schedule.every(LOCAL_STEPS, true),
                ContributionCodecs.ofAll(ways.codec(), List.of(new IndexRange(0, layout.length()))),
                false,
                false,
                new ContributionGuard(Double.POSITIVE_INFINITY)),
            new JobShare(count, OF_STEP, rates),
            new ReplicaHooks(
                ways.hooks().stream()
                    .map(
                        factory ->
                            factory.hook(
                                new HookContext(index, count, count, model, false, HookPort.NONE)))
                    .toList()),
            () -> 0));
  }

  private void start(boolean isNew) {
    for (int index = 0; index < replicas.size(); index++) {
      coordinator.hello(new Hello(index, replicas.size(), "home"));
      for (GlobalBlock block : blocks) {
        if (isNew && index == 0) {
          Pull offer = replicas.get(index).offer(block.block(), initial.serverOptimizer(), "home");
          block.initialize(offer.initial(), offer.serverOptimizer(), combiner);
        }
      }
    }
    tell();
  }

  /** One as this one's checkpoint restores it. This one must not learn afterwards. */
  LockStepJob restored(int count, RateFactors rates) throws IOException {
    return restored(initial, count, rates);
  }

  /** The same with a model that differs in what is frozen. */
  LockStepJob restored(InitialModel later, int count, RateFactors rates) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(saved));
    LockStepJob job =
        new LockStepJob(
            later,
            ways,
            blocks,
            Coordinator.read(
                new DataInputStream(new ByteArrayInputStream(saved.toByteArray())), 100, OF_STEP));
    List<byte[]> states = new ArrayList<>();
    for (Replica replica : replicas) {
      states.add(replica.save().toBytes());
    }
    for (int index = 0; index < count; index++) {
      job.add(index, count, rates);
      job.replicas.get(index).restore(SimulatedCheckpoint.dealt(states, index, count), List.of());
    }
    job.start(false);
    return job;
  }

  /**
   * A local step of each replica that may train, on so many examples of zeros, and the round if it
   * is due.
   */
  void learn(int... examples) {
    for (int index = 0; index < replicas.size(); index++) {
      Minibatch minibatch = new Minibatch(initial.spec().shape(), examples[index]);
      float[] features = new float[initial.spec().shape().features()];
      float[] labels = new float[initial.spec().shape().outputs()];
      for (int row = 0; row < examples[index]; row++) {
        minibatch.add(features, labels, 1, new Partition("t", index), row);
      }
      step(index, minibatch);
    }
    makeRound();
  }

  /** The same of as many replicas, on examples of their own. */
  void learn(Minibatch... minibatches) {
    for (int index = 0; index < minibatches.length; index++) {
      step(index, minibatches[index]);
    }
    makeRound();
  }

  private void step(int index, Minibatch minibatch) {
    Replica replica = replicas.get(index);
    if (!replica.mayTrain()) {
      return;
    }
    if (replica.learn(minibatch, (partition, offset, reason) -> {}).examples() == 0) {
      throw new AssertionError("Nothing was learned");
    }
  }

  private void makeRound() {
    for (Replica replica : replicas) {
      if (replica.isDue()) {
        coordinator.announce(
            (Announcement) replica.contribute(sent -> blocks.get(sent.block()).add(sent)));
      }
    }
    if (coordinator.ready()) {
      ClosedRound round = coordinator.close(WholeRound.OF_ALL);
      for (Decision decision : round.decisions(blocks.size(), false)) {
        GlobalBlock block = blocks.get(decision.block());
        block.add(decision);
        if (block.advance(combiner) == null) {
          throw new AssertionError("A block lacks a contribution");
        }
      }
      tell();
    }
  }

  private void tell() {
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      blocks.forEach(block -> replica.accept(block.told(combiner)));
      replica.accept(coordinator.head(LOCAL_STEPS, false), coordinator.standing(index));
    }
  }

  RecordedModel model(int index) {
    return models.get(index);
  }

  List<RecordedModel> models() {
    return models;
  }

  List<GlobalBlock> blocks() {
    return blocks;
  }

  SteeringController controller() {
    return coordinator.controller();
  }

  /** Examples that the global model has learned. */
  long learned() {
    return coordinator.totals().ledger().learnedCount();
  }
}
