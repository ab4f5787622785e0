package dev.millrace.job.train.setup;

import dev.millrace.exchange.forgetting.Attraction;
import dev.millrace.exchange.forgetting.Attraction.Moment;
import dev.millrace.job.train.options.ForgettingOptions;
import dev.millrace.job.train.options.ForgettingOptions.Importance;
import org.apache.flink.configuration.Configuration;

/** What checked options say against forgetting. */
final class ForgettingSetup {

  private ForgettingSetup() {}

  static Attraction attraction(Configuration options) {
    boolean weighed = options.get(ForgettingOptions.IMPORTANCE) == Importance.FISHER;
    return new Attraction(
        switch (options.get(ForgettingOptions.ANCHOR)) {
          case NONE -> Moment.NONE;
          case INITIAL -> Moment.INITIAL;
          case PERIODIC -> Moment.PERIODIC;
          case DRIFT -> Moment.DRIFT;
        },
        options.getOptional(ForgettingOptions.EVERY).orElse(1L),
        options.get(ForgettingOptions.STRENGTH),
        weighed ? options.get(ForgettingOptions.IMPORTANCE_STEPS) : 0,
        options.get(ForgettingOptions.IMPORTANCE_DECAY));
  }
}
