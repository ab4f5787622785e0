package dev.millrace.exchange.slow;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A job of four replicas, the last of which is disturbed: the real replicas, coordinator and
 * blocks, on a {@linkplain VirtualTime clock} of its own and without Flink. Alike each time.
 */
final class DisturbedJob {

  static final int REPLICAS = 4;

  /** As by default. */
  static final BatchSize BATCH = new BatchSize(32, 0);

  /** What a local step takes at most, undisturbed. */
  static final Duration STEP = Duration.ofMillis(84);

  /** What a message takes. */
  private static final Duration LATENCY = Duration.ofMillis(1);

  /** A step takes so much less, by chance. */
  private static final double JITTER = 0.1;

  private final VirtualTime time = new VirtualTime();
  private final Preset preset;
  private final Training training;
  private final BlockLayout layout;
  private final VirtualBlocks blocks;
  private final VirtualCoordinator coordinator;
  private final List<VirtualReplica> replicas = new ArrayList<>();
  private final RoundLog log;

  /** {@code seed} is that of the times that steps take. */
  DisturbedJob(Preset preset, Training training, Disturbance ofLast, long seed) {
    this.preset = preset;
    this.training = training;
    this.layout = preset.layout(training.initial().spec());
    this.blocks = new VirtualBlocks(layout, preset.combiner(layout), this::tell);
    this.coordinator = new VirtualCoordinator(time, preset.schedule(), BATCH.ofJob(), this::decide);
    this.log = new RoundLog(period(preset).toNanos(), ofLast.pauses());
    for (int index = 0; index < REPLICAS; index++) {
      Disturbance disturbance = index == REPLICAS - 1 ? ofLast : Disturbance.NONE;
      replicas.add(replica(index, disturbance, new Random(seed + index)));
    }
  }

  /**
   * The longest that a replica takes from one contribution to the next, undisturbed. One that
   * doesn't wait takes feedback in after the step in which it comes, so it makes two steps at
   * least.
   */
  static Duration period(Preset preset) {
    int steps = preset.waits() ? preset.localSteps() : Math.max(2, preset.localSteps());
    return STEP.multipliedBy(steps).plus(LATENCY.multipliedBy(4));
  }

  private VirtualReplica replica(int index, Disturbance disturbance, Random random) {
    return new VirtualReplica(
        time,
        disturbance,
        start ->
            disturbance.done(start, (long) (STEP.toNanos() * (1 - JITTER * random.nextDouble()))),
        training.partitions().apply(index),
        new VirtualReplica.Outputs(
            contribution -> send(() -> blocks.take(contribution)),
            message -> send(() -> hear(message))),
        clock -> replica(index, clock));
  }

  private Replica replica(int index, VirtualReplica.Clock clock) {
    ModelSpec spec = training.initial().spec();
    ModelReplica model = ModelEngine.named(spec.engine()).build(spec, DeviceRequest.any());
    boolean addsUp = !preset.aggregator().averages();
    double share = BATCH.share(REPLICAS);
    int averaged = addsUp ? 1 : REPLICAS;
    RateFactors rates =
        new RateFactors(
            training.scaling().ofProportional(share, averaged),
            training.scaling().ofAdaptive(share, averaged),
            1,
            0);
    Replica replica =
        new Replica(
            index,
            new TimedModel(model, clock.step()),
            layout,
            new ReplicaRules(
                preset.schedule(), preset.codecs(spec, layout), false, addsUp, training.guard()),
            new JobShare(REPLICAS, BATCH.ofJob(), rates),
            ReplicaHooks.NONE,
            clock.nanos());
    replica.begin(training.initial());
    return replica;
  }

  /** Until all has been learned. */
  void run() {
    for (int index = 0; index < REPLICAS; index++) {
      coordinator.take(new Hello(index, REPLICAS, "home"));
    }
    tellHeads();
    blocks.begin(replicas.get(0).replica());
    time.run();
  }

  private void hear(CoordinatorMessage message) {
    if (message instanceof Farewell) {
      log.ended(time.now());
    }
    coordinator.take(message);
  }

  private void decide(ClosedRound round) {
    log.made(time.now(), round.participation());
    tellHeads();
    send(() -> blocks.take(round));
  }

  private void tellHeads() {
    RoundHead head = coordinator.head();
    for (int index = 0; index < REPLICAS; index++) {
      VirtualReplica replica = replicas.get(index);
      Standing standing = coordinator.standing(index);
      send(() -> replica.feedback().offer(head, standing));
    }
  }

  private void tell(List<BlockUpdate> updates) {
    for (VirtualReplica replica : replicas) {
      send(() -> updates.forEach(replica.feedback()::offer));
    }
  }

  private void send(Runnable message) {
    time.at(time.now() + LATENCY.toNanos(), message);
  }

  RoundLog log() {
    return log;
  }

  ModelTotals totals() {
    return coordinator.totals();
  }

  /** The parameters of the global model. */
  float[] parameters() {
    return blocks.parameters();
  }
}
