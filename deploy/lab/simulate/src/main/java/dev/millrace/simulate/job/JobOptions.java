package dev.millrace.simulate.job;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.simulate.time.Chance;
import java.time.Duration;
import java.util.List;

/**
 * What a user has chosen.
 *
 * @param replicas how many
 * @param processes that they are in
 * @param parameters of the model
 * @param blockSize of its blocks
 * @param schedule when replicas contribute
 * @param codec of contributions
 * @param feedback codec of what goes back; null where blocks go back whole
 * @param decay of what is left out
 * @param gathers whether contributions are combined by process
 * @param direct whether models are handed over in memory within a process
 * @param averaging of the global model
 * @param timeout of rounds
 * @param patience with stragglers; 0 for none
 * @param maxWait for a minibatch to fill
 * @param publication of models
 */
public record JobOptions(
    int replicas,
    int processes,
    int parameters,
    int blockSize,
    Schedule schedule,
    Codec codec,
    Codec feedback,
    double decay,
    boolean gathers,
    boolean direct,
    Averaging averaging,
    Duration timeout,
    double patience,
    Duration maxWait,
    PublicationPlan publication) {

  private static final int MOST_REPLICAS = 6;

  private static final Duration FOREVER = Duration.ofDays(30);

  /** Codecs are equal where they are the same. */
  private static final Codec EXACT = Codec.float32();

  /** Draws any. */
  public static JobOptions draw(Chance chance) {
    int replicas = 1 + chance.below(MOST_REPLICAS);
    boolean lossy = chance.says(0.4);
    int parameters = 4 + chance.below(6);
    int blockSize = 2 + chance.below(4);
    boolean gathers = chance.says(0.4);
    return new JobOptions(
        replicas,
        1 + chance.below(Math.min(replicas, 4)),
        parameters,
        blockSize,
        schedule(chance, gathers ? 1 : blocks(parameters, blockSize)),
        lossy ? codec(chance) : EXACT,
        chance.says(0.4) ? feedback(chance) : null,
        decay(chance),
        gathers,
        chance.says(0.8),
        chance.says(0.3) ? new Averaging(100, chance.says(0.5)) : Averaging.NONE,
        Duration.ofMillis(chance.anyScale(4_000, 3_600_000)),
        chance.says(0.3) ? 1 + chance.below(4) : 0,
        Duration.ofMillis(chance.anyScale(1_000, 30_000)),
        publication(chance));
  }

  /**
   * Returns options of which the end depends on the records alone: replicas wait for each other and
   * for full minibatches, however long that takes.
   *
   * @param partitions of the input, each for a replica of its own
   */
  JobOptions inStep(int partitions) {
    return new JobOptions(
        partitions,
        Math.min(processes, partitions),
        parameters,
        blockSize,
        schedule.waits()
            ? schedule
            : Schedule.every(schedule.localSteps(0, RoundCost.UNKNOWN), true),
        codec,
        feedback,
        decay,
        // What is combined depends on which replicas are in one process.
        false,
        direct,
        averaging,
        FOREVER,
        0,
        FOREVER,
        publication);
  }

  /**
   * Returns options with which replicas don't wait for each other, and rounds for a straggler alone
   * are short: for long none is over by its timeout.
   *
   * @param partitions of the input, each for a replica of its own
   */
  JobOptions uneven(int partitions) {
    return new JobOptions(
        partitions,
        Math.min(processes, partitions),
        parameters,
        blockSize,
        Schedule.every(1 + blockSize % 3, false),
        codec,
        feedback,
        decay,
        gathers,
        direct,
        averaging,
        FOREVER,
        0,
        maxWait,
        publication);
  }

  /** Draws what may change with a savepoint. */
  public JobOptions redraw(Chance chance) {
    JobOptions other = draw(chance);
    return new JobOptions(
        other.replicas,
        other.processes,
        parameters,
        blockSize,
        schedule(chance, gathers || other.gathers ? 1 : blocks(parameters, blockSize)),
        other.codec,
        other.feedback,
        other.decay,
        // Switched off it would lose what waits, so the job refuses.
        gathers || other.gathers,
        other.direct,
        averaging,
        other.timeout,
        other.patience,
        other.maxWait,
        other.publication);
  }

  private static double decay(Chance chance) {
    return chance.says(0.8) ? 1 : chance.unit();
  }

  private static int blocks(int parameters, int blockSize) {
    return (parameters + blockSize - 1) / blockSize;
  }

  /**
   * Returns what the options' rules let pass: each fragment has steps before its turn, and more of
   * a delay.
   */
  private static Schedule schedule(Chance chance, int mostFragments) {
    int fragments = chance.says(0.3) ? 1 + chance.below(mostFragments) : 1;
    int each = 1 + chance.below(6);
    int steps = fragments * each;
    Schedule plain =
        switch (chance.below(5)) {
          case 0 -> Schedule.every(steps, true);
          case 1, 2 -> Schedule.every(steps, false);
          case 3 ->
              each > 1
                  ? Schedule.every(steps, true).delayed(1 + chance.below(each - 1))
                  : Schedule.every(steps, true);
          default -> Schedule.every(steps, true).afterWarmUp(1 + chance.below(10));
        };
    return fragments > 1 ? plain.inFragments(fragments) : plain;
  }

  private static Codec codec(Chance chance) {
    return switch (chance.below(4)) {
      case 0 -> Codec.bfloat16();
      case 1 -> Codec.int8();
      case 2 -> Codec.topK(0.3);
      default -> Codec.twoBitTopK(0.3);
    };
  }

  private static Codec feedback(Chance chance) {
    return switch (chance.below(4)) {
      case 0 -> Codec.bfloat16();
      case 1 -> Codec.int8();
      case 2 -> Codec.sparse();
      default -> Codec.topK(0.5);
    };
  }

  private static PublicationPlan publication(Chance chance) {
    return switch (chance.below(3)) {
      case 0 -> PublicationPlan.NOTHING;
      case 1 -> new PublicationPlan(0, 1 + chance.below(20), Duration.ZERO, true);
      default -> new PublicationPlan(0, 0, Duration.ofSeconds(chance.anyScale(1, 60)), true);
    };
  }

  /** Whether models are published. */
  public boolean publishes() {
    return publication.checkpoints();
  }

  /** Whether contributions cover some blocks only. */
  public boolean hasFragments() {
    return schedule.fragments() > 1;
  }

  /** Whether the parameters at the end say exactly what was learned. */
  public boolean isExact() {
    return codec.equals(EXACT);
  }

  /** Whether some of what codecs leave out is dropped. */
  public boolean decays() {
    return decay < 1 && !isExact();
  }

  Aggregator aggregator() {
    return Aggregator.sum();
  }

  ServerOptimizer optimizer() {
    return ServerOptimizer.none(1);
  }

  ContributionCodecs codecs(int length) {
    return ContributionCodecs.ofAll(codec, List.of(new IndexRange(0, length))).withDecay(decay);
  }

  FeedbackCodecs feedbackCodecs() {
    return new FeedbackCodecs(feedback, feedback);
  }
}
