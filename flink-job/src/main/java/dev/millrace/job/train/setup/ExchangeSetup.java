package dev.millrace.job.train.setup;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.job.train.options.StopOptions;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** The exchange's choices, as checked options say them; the codec's are {@link CodecSetup}'s. */
final class ExchangeSetup {

  /** Far below any change that matters: it only keeps a change of nothing from being 0 / 0. */
  private static final double EPSILON = 1e-8;

  /** How much of Adam's second moment stays from round to round. */
  private static final double SECOND_MOMENT = 0.99;

  private final Configuration options;
  private final Schedule schedule;
  private final Aggregator aggregator;

  /** Makes schedule and aggregator, which may be a user's, once for all that goes by them. */
  ExchangeSetup(Configuration options) {
    this.options = options;
    this.schedule =
        ExtensionOptions.schedule(options)
            .orElseGet(this::builtInSchedule)
            .inFragments(options.get(ExchangeOptions.FRAGMENTS))
            .afterWarmUp(options.getOptional(ExchangeOptions.WARM_UP).orElse(0));
    this.aggregator = ExtensionOptions.aggregator(options).orElseGet(this::builtInAggregator);
  }

  Schedule schedule() {
    return schedule;
  }

  private Schedule builtInSchedule() {
    boolean waits =
        ExtensionOptions.builtIn(options, ExchangeOptions.SCHEDULE, ExchangeOptions.Schedule.class)
            == ExchangeOptions.Schedule.SYNC;
    int localSteps = options.get(ExchangeOptions.LOCAL_STEPS);
    Optional<Double> overhead = options.getOptional(ExchangeOptions.OVERHEAD);
    Optional<Duration> interval = options.getOptional(ExchangeOptions.INTERVAL);
    return overhead
        .map(share -> Schedule.adaptive(share, localSteps, waits))
        .or(() -> interval.map(time -> Schedule.every(time, waits)))
        .orElseGet(
            () -> Schedule.every(localSteps, waits).delayed(options.get(ExchangeOptions.DELAY)));
  }

  Aggregator aggregator() {
    return aggregator;
  }

  private Aggregator builtInAggregator() {
    return switch (ExtensionOptions.builtIn(
        options, ExchangeOptions.AGGREGATOR, ExchangeOptions.Combination.class)) {
      case MEAN -> Aggregator.weightedMean();
      case SUM -> Aggregator.sum();
      case TRIMMED_MEAN -> Aggregator.trimmedMean(options.get(ExchangeOptions.TRIM));
      case MEDIAN -> Aggregator.median();
    };
  }

  /** Whether the contributions of a process are combined before they leave it. */
  boolean gathers() {
    return options.get(ExchangeOptions.COMBINE) == ExchangeOptions.FirstLevel.PROCESS;
  }

  ServerOptimizer serverOptimizer() {
    return ExtensionOptions.serverOptimizer(options).orElseGet(this::builtInOptimizer);
  }

  private ServerOptimizer builtInOptimizer() {
    double rate = options.get(ExchangeOptions.SERVER_LEARNING_RATE);
    double momentum = options.get(ExchangeOptions.SERVER_MOMENTUM);
    return switch (ExtensionOptions.builtIn(
        options, ExchangeOptions.SERVER_OPTIMIZER, ExchangeOptions.Optimizer.class)) {
      case NONE -> ServerOptimizer.none(rate);
      case NESTEROV -> ServerOptimizer.nesterov(rate, momentum);
      case ADAM -> ServerOptimizer.adam(rate, momentum, SECOND_MOMENT, EPSILON);
    };
  }

  Averaging averaging() {
    boolean published =
        options.get(SnapshotOptions.PARAMETERS) == SnapshotOptions.Parameters.AVERAGE;
    return options
        .getOptional(ExchangeOptions.EMA_HALF_LIFE)
        .map(halfLife -> new Averaging(halfLife, published))
        .orElse(Averaging.NONE);
  }

  /**
   * Returns how long a round waits, as a multiple of the time that its first half took; 0 for its
   * timeout alone.
   */
  double stragglerWait() {
    return options.getOptional(ExchangeOptions.STRAGGLER_WAIT).orElse(0.0);
  }

  StopRules stopRules() {
    return new StopRules(
        options.getOptional(StopOptions.AFTER).orElse(Duration.ZERO),
        options.getOptional(StopOptions.EXAMPLES).orElse(0L),
        options.getOptional(StopOptions.EXAMPLES_WITHOUT_IMPROVEMENT).orElse(0L),
        options.get(StopOptions.MIN_IMPROVEMENT),
        options.get(EvaluationOptions.WINDOW));
  }
}
