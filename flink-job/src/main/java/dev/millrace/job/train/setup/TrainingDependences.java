package dev.millrace.job.train.setup;

import static dev.millrace.job.options.Condition.absent;
import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;
import static dev.millrace.job.options.Dependence.warned;

import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.RecordSchemaOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.options.CodecOptions;
import dev.millrace.job.train.options.CodecOptions.Encoding;
import dev.millrace.job.train.options.CodecOptions.Rule;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.EvaluationOptions.Segments;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.ExchangeOptions.Scaling;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.job.train.options.GateOptions;
import dev.millrace.job.train.options.LearningDependences;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.StopOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which options of a training job act under which condition alone; the first that fails is told.
 */
public final class TrainingDependences {

  public static final List<Dependence> ALL =
      Stream.of(
              refused(
                  is(ModelOptions.NAME, ModelOptions.WITH_HIDDEN.toArray(String[]::new)),
                  ModelOptions.HIDDEN),
              refused(
                  is(ModelOptions.NAME, "lenet").or(given(ModelOptions.CONFIGURATION)),
                  ModelOptions.IMAGE),
              refused(
                  is(ModelOptions.NAME, "two-tower").or(given(ModelOptions.ARCHIVE)),
                  ModelOptions.NEGATIVES),
              refused(given(ModelOptions.NAME), ModelOptions.SEED),
              LearningDependences.ALL,
              refused(absent(ExchangeOptions.INTERVAL), ExchangeOptions.LOCAL_STEPS),
              refused(
                  is(
                      ExchangeOptions.LEARNING_RATE_SCALING,
                      Scaling.AUTO,
                      Scaling.LINEAR,
                      Scaling.SQUARE_ROOT),
                  ExchangeOptions.LEARNING_RATE_WARM_UP),
              refused(
                  ExtensionOptions.builtIn(ExchangeOptions.SERVER_OPTIMIZER),
                  ExchangeOptions.SERVER_LEARNING_RATE),
              refused(
                  ExtensionOptions.builtIn(ExchangeOptions.SCHEDULE),
                  ExchangeOptions.INTERVAL,
                  ExchangeOptions.OVERHEAD),
              refused(is(ExchangeOptions.AGGREGATOR, "trimmed-mean"), ExchangeOptions.TRIM),
              refused(
                  is(ExchangeOptions.AGGREGATOR, "mean", "sum")
                      .or(ExtensionOptions.isClass(ExchangeOptions.AGGREGATOR)),
                  ExchangeOptions.COMBINE),
              refused(
                  is(ExchangeOptions.SERVER_OPTIMIZER, "nesterov", "adam"),
                  ExchangeOptions.SERVER_MOMENTUM),
              refused(given(ExchangeOptions.EMA_HALF_LIFE), SnapshotOptions.PARAMETERS),
              refused(encoded(Encoding.THRESHOLD), CodecOptions.RULE, CodecOptions.INITIAL),
              refused(
                  is(CodecOptions.RULE, Rule.FIXED, Rule.ADAPTIVE, Rule.TARGET),
                  CodecOptions.INITIAL),
              refused(is(ExchangeOptions.AVERAGE_UPDATER, true), CodecOptions.UPDATER_STATE),
              refused(
                  encoded(Encoding.THRESHOLD)
                      .and(is(CodecOptions.RULE, Rule.ADAPTIVE, Rule.TARGET, Rule.QUANTILE))
                      .or(encoded(Encoding.TOP_K))
                      .or(encoded(Encoding.TOP_K_2_BIT)),
                  CodecOptions.SHARE),
              refused(lossyContributions(), CodecOptions.DECAY),
              refused(given(StopOptions.EXAMPLES_WITHOUT_IMPROVEMENT), StopOptions.MIN_IMPROVEMENT),
              refused(
                  given(EvaluationOptions.HOLDOUT).or(segments(Segments.CLASS, Segments.PERIOD)),
                  EvaluationOptions.EVERY),
              OptionalParts.dependences(),
              refused(given(GateOptions.METRIC), GateOptions.MARGIN),
              // millrace train and demo give a place for both.
              warned(
                  given(SnapshotOptions.DIRECTORY),
                  SnapshotOptions.INTERVAL,
                  SnapshotOptions.ROUNDS,
                  SnapshotOptions.KEEP,
                  SnapshotOptions.KEEP_EVERY,
                  SnapshotOptions.SIGNING_KEY),
              warned(
                  given(MetricsOptions.TOPIC, MetricsOptions.FILE),
                  MetricsOptions.INTERVAL,
                  MetricsOptions.TIMELINE),
              // produce and evaluate read tables, whatever the format.
              warned(
                  is(InputOptions.FORMAT, "csv").or(holdOutTable()).or(given(HistoryOptions.PATH)),
                  CsvOptions.LABEL,
                  CsvOptions.SEPARATOR),
              refused(
                  given(InputOptions.FIELDS),
                  InputOptions.ENVELOPE,
                  InputOptions.MISSING,
                  InputOptions.DECIMAL),
              refused(lags(), LagOptions.BY),
              RecordSchemaOptions.DEPENDENCES,
              warned(checkpoints(), CheckpointOptions.DIRECTORY))
          .flatMap(List::stream)
          .toList();

  private TrainingDependences() {}

  private static Condition encoded(Encoding encoding) {
    return is(CodecOptions.CONTRIBUTIONS, encoding.toString())
        .or(is(CodecOptions.FEEDBACK, encoding));
  }

  private static Condition lossyContributions() {
    return is(
            CodecOptions.CONTRIBUTIONS,
            Stream.of(
                    Encoding.BFLOAT16,
                    Encoding.INT8,
                    Encoding.THRESHOLD,
                    Encoding.TOP_K,
                    Encoding.TOP_K_2_BIT)
                .map(Encoding::toString)
                .toArray(String[]::new))
        .or(ExtensionOptions.isClass(CodecOptions.CONTRIBUTIONS));
  }

  private static Condition lags() {
    return new Condition(
        "with input.label-lags above 0", options -> options.get(LagOptions.LAGS) > 0);
  }

  private static Condition segments(Segments... kinds) {
    return is(EvaluationOptions.SEGMENTS, kinds);
  }

  private static Condition holdOutTable() {
    return new Condition(
        "a table as evaluation.holdout",
        options ->
            options
                .getOptional(EvaluationOptions.HOLDOUT)
                .filter(data -> data.startsWith("csv:"))
                .isPresent());
  }

  private static Condition checkpoints() {
    return new Condition(
        "with checkpoints, whose interval is above 0",
        options ->
            options.getOptional(CheckpointOptions.INTERVAL).filter(Duration::isZero).isEmpty());
  }
}
