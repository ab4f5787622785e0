package dev.millrace.job.setup;

import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionCheck;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.job.train.options.Preset;
import dev.millrace.job.train.setup.OptionalParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/** Checks what a user gives, as the options of one kind of job. */
public final class JobOptions {

  /** What keys begin with that somebody else judges: Kafka's clients, Flink, extensions. */
  static final List<String> PASSED_ON =
      List.of(KafkaOptions.PREFIX, FlinkOptions.PREFIX, ExtensionOptions.OWN);

  private JobOptions() {}

  /**
   * Checks every key and every value, and what the options say together.
   *
   * @param given what the user and a command say
   * @param cluster Flink's configuration
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static CheckedOptions check(JobKind kind, Configuration given, ReadableConfig cluster) {
    return check(kind, given, cluster, List.of());
  }

  /**
   * Checks options from a command line.
   *
   * @param arguments the command's own, such as {@code --parallelism}, for hints
   */
  public static CheckedOptions check(
      JobKind kind, Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    List<String> problems = requireValues(given, arguments);
    Configuration values = InputFields.complete(OptionalParts.complete(Preset.complete(given)));
    values.set(CheckpointOptions.INTERVAL, checkpointInterval(kind, given, cluster));
    OptionRules rules = new OptionRules(values);
    kind.check(rules);
    problems.addAll(rules.problems());
    problems.addAll(
        Dependence.violations(kind.dependences(), Dependence.Outcome.REFUSED, given, values));
    refuseIfAny(problems);
    return new CheckedOptions(
        values,
        Dependence.violations(kind.dependences(), Dependence.Outcome.WARNED, given, values));
  }

  private static Duration checkpointInterval(
      JobKind kind, Configuration given, ReadableConfig cluster) {
    return kind.isWhole()
        ? CheckpointOptions.interval(given, cluster)
        : cluster.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL).orElse(Duration.ZERO);
  }

  /**
   * Checks keys and values alone, each by itself: for a use of the options that isn't a job.
   *
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static void checkEach(Configuration given, Collection<String> arguments) {
    refuseIfAny(requireValues(given, arguments));
  }

  /** Checks keys and values where there is no command line. */
  public static void checkEach(Configuration given) {
    checkEach(given, List.of());
  }

  /**
   * The problems of keys; rules read values, so these have to be right before.
   *
   * @throws InvalidOptionsException if a value is wrong
   */
  private static List<String> requireValues(Configuration given, Collection<String> arguments) {
    List<String> passedOn = new ArrayList<>(InputFields.ownOptions(given));
    passedOn.addAll(PASSED_ON);
    OptionCheck check = new OptionCheck(MillraceOptions.settings().toList(), passedOn, arguments);
    List<String> problems = new ArrayList<>(check.unknownKeys(given));
    List<String> wrongValues = check.wrongValues(given);
    if (!wrongValues.isEmpty()) {
      problems.addAll(wrongValues);
      refuseIfAny(problems);
    }
    return problems;
  }

  private static void refuseIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }
}
