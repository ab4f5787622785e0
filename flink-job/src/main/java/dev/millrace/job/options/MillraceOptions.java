package dev.millrace.job.options;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every option there is, for the check before submission and for the reference page. */
public final class MillraceOptions {

  private static final List<OptionGroup> GROUPS =
      List.of(
          KafkaOptions.GROUP,
          InputOptions.GROUP,
          CsvOptions.GROUP,
          DeadLetterOptions.GROUP,
          BatchOptions.GROUP,
          ModelOptions.GROUP,
          ExchangeOptions.GROUP,
          CodecOptions.GROUP,
          GuardOptions.GROUP,
          StopOptions.GROUP,
          EvaluationOptions.GROUP,
          MetricsOptions.GROUP,
          SnapshotOptions.GROUP,
          GateOptions.GROUP,
          RegistryOptions.GROUP,
          ScoringOptions.GROUP,
          CheckpointOptions.GROUP,
          SubmissionOptions.GROUP);

  private MillraceOptions() {}

  /** All groups, in the order of the reference page. */
  public static List<OptionGroup> all() {
    return GROUPS;
  }

  /** All options, in the order of the reference page. */
  public static Stream<Setting<?>> settings() {
    return GROUPS.stream().flatMap(group -> group.settings().stream());
  }

  public static Optional<Setting<?>> named(String key) {
    return settings().filter(setting -> setting.key().equals(key)).findFirst();
  }
}
