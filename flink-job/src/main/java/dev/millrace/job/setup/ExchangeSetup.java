package dev.millrace.job.setup;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.job.options.EvaluationOptions;
import dev.millrace.job.options.ExchangeOptions;
import dev.millrace.job.options.StopOptions;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;

/** The exchange's choices, as checked options say them; the codec's are {@link CodecSetup}'s. */
final class ExchangeSetup {

  /** Far below any change that matters: it only keeps a change of nothing from being 0 / 0. */
  private static final double EPSILON = 1e-8;

  private final Configuration options;

  ExchangeSetup(Configuration options) {
    this.options = options;
  }

  Schedule schedule() {
    boolean waits = options.get(ExchangeOptions.SCHEDULE) == ExchangeOptions.Schedule.SYNC;
    int frequency = options.get(ExchangeOptions.FREQUENCY);
    Duration interval = options.get(ExchangeOptions.INTERVAL);
    double overhead = options.get(ExchangeOptions.OVERHEAD);
    Schedule schedule;
    if (overhead > 0) {
      schedule = Schedule.adaptive(overhead, frequency, waits);
    } else if (!interval.isZero()) {
      schedule = Schedule.every(interval, waits);
    } else {
      schedule = Schedule.every(frequency, waits);
    }
    return schedule.afterWarmUp(options.get(ExchangeOptions.WARM_UP));
  }

  Aggregator aggregator() {
    return switch (options.get(ExchangeOptions.AGGREGATOR)) {
      case MEAN -> Aggregator.weightedMean();
      case SUM -> Aggregator.sum();
      case TRIMMED_MEAN -> Aggregator.trimmedMean(options.get(ExchangeOptions.TRIM));
      case MEDIAN -> Aggregator.median();
    };
  }

  ServerOptimizer serverOptimizer() {
    double rate = options.get(ExchangeOptions.SERVER_LEARNING_RATE);
    double momentum = options.get(ExchangeOptions.SERVER_MOMENTUM);
    return switch (options.get(ExchangeOptions.SERVER_OPTIMIZER)) {
      case NONE -> ServerOptimizer.none(rate);
      case NESTEROV -> ServerOptimizer.nesterov(rate, momentum);
      case ADAM ->
          ServerOptimizer.adam(
              rate, momentum, options.get(ExchangeOptions.SERVER_SECOND_MOMENT), EPSILON);
    };
  }

  StopRules stopRules() {
    return new StopRules(
        options.get(StopOptions.AFTER),
        options.get(StopOptions.EXAMPLES),
        options.get(StopOptions.PATIENCE),
        options.get(StopOptions.LEAST_IMPROVEMENT),
        options.get(EvaluationOptions.WINDOW));
  }
}
