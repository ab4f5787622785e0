package dev.millrace.job.train.setup;

import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.job.train.options.ForgettingOptions;
import dev.millrace.job.train.options.ForgettingOptions.Importance;
import org.apache.flink.configuration.Configuration;

/** What checked options say against forgetting. */
final class ForgettingSetup {

  /** Local steps from one measurement of the importance to the next: it costs about a step. */
  private static final int IMPORTANCE_STEPS = 20;

  /** Share of the importance known before that is left when the older model is replaced. */
  private static final double IMPORTANCE_DECAY = 0.9;

  private ForgettingSetup() {}

  static OlderModelPenalty attraction(Configuration options) {
    boolean weighed = options.get(ForgettingOptions.IMPORTANCE) == Importance.FISHER;
    return new OlderModelPenalty(
        switch (options.get(ForgettingOptions.ANCHOR)) {
          case NONE -> Moment.NONE;
          case INITIAL -> Moment.INITIAL;
          case PERIODIC -> Moment.PERIODIC;
          case DRIFT -> Moment.DRIFT;
        },
        options.getOptional(ForgettingOptions.EVERY).orElse(1L),
        options.get(ForgettingOptions.STRENGTH),
        weighed ? IMPORTANCE_STEPS : 0,
        IMPORTANCE_DECAY);
  }
}
