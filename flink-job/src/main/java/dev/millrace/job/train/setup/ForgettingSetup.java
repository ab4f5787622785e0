package dev.millrace.job.train.setup;

import dev.millrace.exchange.forgetting.Attraction;
import dev.millrace.exchange.forgetting.Attraction.Moment;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ForgettingOptions;
import dev.millrace.job.train.options.ForgettingOptions.Importance;
import org.apache.flink.configuration.Configuration;

/** What checked options say against forgetting, and of how it is measured. */
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

  static SegmentRule segments(Configuration options) {
    Kind kind =
        switch (options.get(EvaluationOptions.SEGMENTS)) {
          case NONE -> Kind.NONE;
          case CLASS -> Kind.CLASS;
          case PERIOD -> Kind.PERIOD;
        };
    return kind == Kind.NONE
        ? SegmentRule.NONE
        : new SegmentRule(
            kind,
            options.get(EvaluationOptions.SEGMENTS_SHARE),
            options.get(EvaluationOptions.SEGMENTS_PERIOD),
            options.get(EvaluationOptions.SEGMENTS_SIZE));
  }
}
