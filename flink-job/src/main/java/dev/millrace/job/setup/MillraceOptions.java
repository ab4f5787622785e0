package dev.millrace.job.setup;

import dev.millrace.job.join.options.JoinedOptions;
import dev.millrace.job.join.options.SideFormat;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.job.options.RecordSchemaOptions;
import dev.millrace.job.options.SchemaRegistryOptions;
import dev.millrace.job.options.Setting;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.options.SubmissionOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.CodecOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.GateOptions;
import dev.millrace.job.train.options.GuardOptions;
import dev.millrace.job.train.options.LineageOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.MlflowOptions;
import dev.millrace.job.train.options.PresetOptions;
import dev.millrace.job.train.options.StopOptions;
import dev.millrace.job.train.setup.OptionalParts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every option there is, for the check before submission and for the reference page. */
public final class MillraceOptions {

  private static final List<OptionGroup> IN_FRONT =
      List.of(
          PresetOptions.GROUP,
          KafkaOptions.GROUP,
          InputOptions.GROUP,
          CsvOptions.GROUP,
          StructureOptions.GROUP,
          LagOptions.GROUP,
          HistoryOptions.GROUP,
          RecordSchemaOptions.GROUP,
          SchemaRegistryOptions.GROUP,
          DeadLetterOptions.GROUP,
          OutputOptions.GROUP,
          BatchOptions.GROUP,
          ModelOptions.GROUP,
          LearningOptions.GROUP,
          ExchangeOptions.GROUP,
          CodecOptions.GROUP,
          GuardOptions.GROUP);

  private static final List<OptionGroup> BEHIND =
      List.of(
          StopOptions.GROUP,
          EvaluationOptions.GROUP,
          MetricsOptions.GROUP,
          SnapshotOptions.GROUP,
          GateOptions.GROUP,
          MlflowOptions.GROUP,
          LineageOptions.GROUP,
          ScoringOptions.GROUP,
          JoinedOptions.GROUP,
          SideFormat.GROUP,
          CheckpointOptions.GROUP,
          SubmissionOptions.GROUP);

  private static final List<OptionGroup> GROUPS =
      Stream.of(IN_FRONT, OptionalParts.options(), BEHIND).flatMap(List::stream).toList();

  private MillraceOptions() {}

  /** All groups, in the order of the reference page. */
  public static List<OptionGroup> all() {
    return GROUPS;
  }

  /** All options, in the order of the reference page. */
  public static Stream<Setting<?>> settings() {
    return GROUPS.stream().flatMap(group -> group.settings().stream());
  }

  /**
   * Returns the option of a key, or of what it begins with where options have keys of their own.
   */
  public static Optional<Setting<?>> named(String key) {
    return settings().filter(setting -> setting.has(key)).findFirst();
  }
}
