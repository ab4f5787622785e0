package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.ExampleSignals;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** Replicas of four parameters, and what they are told and learn. */
final class TestReplicas {

  static final InitialModel INITIAL = SummingEngine.initial(4);

  private TestReplicas() {}

  /** Restores one from what others saved. */
  static void restore(Replica replica, Replica... saved) throws IOException {
    List<DataInput> states = new ArrayList<>();
    for (Replica other : saved) {
      states.add(read(other.save()));
    }
    replica.restore(states, List.of());
  }

  static DataInput read(SavedReplica saved) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(saved.toBytes()));
  }

  static float[] changeOf(List<Contribution> sent) {
    float[] change = new float[4];
    for (Contribution contribution : sent) {
      int size = contribution.block() == 0 ? 3 : 1;
      float[] block = contribution.payload().receive(new float[size], size);
      System.arraycopy(block, 0, change, 3 * contribution.block(), size);
    }
    return change;
  }

  /** One step, which adds 1 to every second parameter and {@code value} to the others. */
  static void learn(Replica replica, float value) {
    Measures unused = replica.learn(minibatch(value, 0), TestReplicas::refuse);
  }

  private static void refuse(Partition partition, long offset, String reason) {
    throw new AssertionError("It can compute with everything: " + reason);
  }

  static Minibatch minibatch(float value, long offset) {
    Minibatch minibatch = new Minibatch(INITIAL.spec().shape(), 1);
    minibatch.add(new float[] {value}, new float[1], 1, new Partition("t", 0), offset);
    return minibatch;
  }

  /** A round of which replica 0 hears head and blocks, all parameters being {@code values}. */
  static void tellRound(
      Replica replica, long round, long included, long announced, float... values) {
    tellRound(replica, new FeatureStatistics(0), round, included, announced, values);
  }

  static void tellRound(
      Replica replica,
      FeatureStatistics statistics,
      long round,
      long included,
      long announced,
      float... values) {
    float[] global = values.length == 0 ? new float[] {1, 1, 1, 1} : values;
    replica.accept(
        new RoundHead(round, JobProgress.NONE, 0, statistics, 1, false),
        new Standing(announced, included, round));
    replica.accept(new BlockUpdate(0, round, Arrays.copyOfRange(global, 0, 3)));
    replica.accept(new BlockUpdate(1, round, Arrays.copyOfRange(global, 3, 4)));
  }

  static Replica replica() {
    return replica(() -> 0);
  }

  /** A replica that takes the time, in nanoseconds, from a clock. */
  static Replica replica(LongSupplier clock) {
    return replica(0, INITIAL.spec().layout(3, true), false, clock);
  }

  static Replica replica(int index, BlockLayout layout) {
    return replica(index, layout, false, () -> 0);
  }

  /** A replica of another model, in blocks of that size. */
  static Replica replica(InitialModel initial, int blockSize) {
    BlockLayout layout = initial.spec().layout(blockSize, true);
    return replica(
        initial, 0, layout, ContributionCodecs.EXACT, false, new ContributionGuard(10), () -> 0);
  }

  static Replica standardizingReplica() {
    return replica(0, INITIAL.spec().layout(3, true), true, () -> 0);
  }

  static Replica lossyReplica(Codec codec) {
    return replica(
        0,
        INITIAL.spec().layout(3, true),
        ContributionCodecs.ofAll(codec, List.of()),
        false,
        () -> 0);
  }

  /** A replica that takes a round in so many local steps after its contribution. */
  static Replica delayedReplica(int localSteps, int delay) {
    return replica(
        INITIAL,
        0,
        INITIAL.spec().layout(3, true),
        ContributionCodecs.EXACT,
        false,
        new ContributionGuard(10),
        Schedule.every(localSteps, true).delayed(delay),
        () -> 0);
  }

  /** A replica that writes down what it does. */
  static Replica loggingReplica() {
    return replica(
        INITIAL,
        0,
        INITIAL.spec().layout(3, true),
        ContributionCodecs.EXACT,
        false,
        new ContributionGuard(10),
        Schedule.every(1, true),
        new JobShare(1, 1, RateFactors.NONE, ExampleSignals.NOTHING.withLog()),
        () -> 0);
  }

  /** A replica that contributes its blocks in turn. */
  static Replica fragmentReplica(int fragments) {
    return replica(
        INITIAL,
        0,
        INITIAL.spec().layout(3, true),
        ContributionCodecs.EXACT,
        false,
        new ContributionGuard(10),
        Schedule.every(fragments, true).inFragments(fragments),
        () -> 0);
  }

  static Replica guardedReplica(ContributionGuard guard) {
    return replica(
        INITIAL,
        0,
        INITIAL.spec().layout(3, true),
        ContributionCodecs.EXACT,
        false,
        guard,
        () -> 0);
  }

  private static Replica replica(
      int index, BlockLayout layout, boolean standardize, LongSupplier clock) {
    return replica(index, layout, ContributionCodecs.EXACT, standardize, clock);
  }

  private static Replica replica(
      int index,
      BlockLayout layout,
      ContributionCodecs codecs,
      boolean standardize,
      LongSupplier clock) {
    return replica(INITIAL, index, layout, codecs, standardize, new ContributionGuard(10), clock);
  }

  private static Replica replica(
      InitialModel initial,
      int index,
      BlockLayout layout,
      ContributionCodecs codecs,
      boolean standardize,
      ContributionGuard guard,
      LongSupplier clock) {
    return replica(
        initial, index, layout, codecs, standardize, guard, Schedule.every(1, true), clock);
  }

  private static Replica replica(
      InitialModel initial,
      int index,
      BlockLayout layout,
      ContributionCodecs codecs,
      boolean standardize,
      ContributionGuard guard,
      Schedule schedule,
      LongSupplier clock) {
    return replica(
        initial,
        index,
        layout,
        codecs,
        standardize,
        guard,
        schedule,
        new JobShare(1, 1, RateFactors.NONE),
        clock);
  }

  private static Replica replica(
      InitialModel initial,
      int index,
      BlockLayout layout,
      ContributionCodecs codecs,
      boolean standardize,
      ContributionGuard guard,
      Schedule schedule,
      JobShare share,
      LongSupplier clock) {
    Replica replica =
        new Replica(
            index,
            ModelEngine.named(initial.spec().engine()).build(initial.spec(), DeviceRequest.any()),
            layout,
            new ReplicaRules(schedule, codecs, standardize, false, guard),
            share,
            ReplicaHooks.NONE,
            clock);
    replica.begin(initial);
    return replica;
  }
}
