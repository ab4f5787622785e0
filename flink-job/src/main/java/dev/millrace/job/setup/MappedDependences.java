package dev.millrace.job.setup;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.fields.ArrayFields;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.options.SubmissionOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.StopOptions;
import dev.millrace.job.train.setup.OptionalParts;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Which options act only where Millrace makes the whole job, and not a part of a program's. */
final class MappedDependences {

  /** Options by which training uses Kafka whatever its source is. */
  static final List<ConfigOption<?>> USE_KAFKA =
      Stream.<ConfigOption<?>>concat(
              Stream.of(MetricsOptions.TOPIC, SnapshotOptions.TOPIC), OptionalParts.topicOptions())
          .toList();

  /** Options of metric records, which a program gets in any case. */
  static final List<String> ACT_ALWAYS =
      List.of(MetricsOptions.INTERVAL.key(), MetricsOptions.TIMELINE.key());

  static final List<Dependence> ALL =
      Stream.of(
              input("the program's source gives the records"),
              refused(
                  new Condition(
                      "in a job that Millrace makes as a whole (the program's mapper gives the"
                          + " features)",
                      MappedDependences::areGiven),
                  InputOptions.FIELDS),
              refused(
                  whole("the program gets the rejected records as a stream"),
                  DeadLetterOptions.TOPIC,
                  OutputOptions.GUARANTEE),
              refused(
                  whole("here the program's environment says it"),
                  CheckpointOptions.INTERVAL,
                  CheckpointOptions.DIRECTORY,
                  SubmissionOptions.SLOT_WAIT),
              refused(
                  whole("nothing could read the program's records again"),
                  OptionalParts.ofWholeJobs()),
              refused(
                  whole("the program scores streams of its own"),
                  ScoringOptions.GROUP.settings().stream()
                      .map(setting -> setting.option())
                      .toArray(ConfigOption<?>[]::new)))
          .flatMap(List::stream)
          .toList();

  /** The dependences where a query gives rows to a table, whose columns may be fields. */
  static final List<Dependence> OF_TABLE =
      Stream.of(
              input("a query gives the rows"),
              refused(
                  whole("no column holds the steps of a sequence as fields"),
                  StructureOptions.SEQUENCE_PATH),
              refused(
                  new Condition(
                      "where features are one array", options -> !InputFields.areGiven(options)),
                  StructureOptions.SEQUENCE_STEPS),
              refused(
                  given(DeadLetterOptions.TOPIC).or(OptionalParts.write()),
                  OutputOptions.GUARANTEE),
              refused(
                  whole("a table has one sink, so name a topic: metrics.topic"),
                  MetricsOptions.FILE),
              refused(
                  whole("here the session says it: SET 'execution.checkpointing…'"),
                  CheckpointOptions.INTERVAL,
                  CheckpointOptions.DIRECTORY,
                  SubmissionOptions.SLOT_WAIT),
              refused(
                  whole("nothing could read the query's rows again"), OptionalParts.ofWholeJobs()),
              refused(
                  whole("queries predict by ML_PREDICT"),
                  ScoringOptions.GROUP.settings().stream()
                      .map(setting -> setting.option())
                      .toArray(ConfigOption<?>[]::new)))
          .flatMap(List::stream)
          .toList();

  /** The dependences where a program gives a stream: nobody behind it can end it. */
  static final List<Dependence> OF_STREAM =
      refused(
          new Condition("where a source gives the records", options -> false),
          StopOptions.AFTER,
          StopOptions.EXAMPLES,
          StopOptions.EXAMPLES_WITHOUT_IMPROVEMENT);

  private MappedDependences() {}

  /**
   * Returns the dependences of options that say where records are from: here something else says
   * it.
   */
  private static List<Dependence> input(String why) {
    return Stream.of(
            refused(
                whole(why),
                InputOptions.TOPICS,
                InputOptions.TOPIC_PATTERN,
                InputOptions.BOUNDED,
                InputOptions.START,
                HistoryOptions.PATH,
                InputOptions.ON_MISSING_OFFSETS,
                InputOptions.ON_RECREATED_TOPIC,
                LagOptions.LAGS,
                LagOptions.BY),
            refused(
                EvaluationOptions.HOLDOUT_IS_TOPIC,
                InputOptions.FORMAT,
                InputOptions.ENVELOPE,
                InputOptions.MAX_RECORD_SIZE))
        .flatMap(List::stream)
        .toList();
  }

  /** Whether a mapper gives the fields: an array, and ids. */
  private static boolean areGiven(Configuration options) {
    try {
      return InputFields.description(options).filter(ArrayFields::are).isPresent();
    } catch (InvalidOptionsException e) {
      // The rules of fields tell it.
      return true;
    }
  }

  private static Condition whole(String why) {
    return new Condition(
        "in a job that Millrace makes as a whole (%s)".formatted(why), options -> false);
  }
}
