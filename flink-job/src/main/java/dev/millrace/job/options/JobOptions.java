package dev.millrace.job.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Options of a job that have been found right.
 *
 * @param values what was given, completed by its preset and by the cluster's configuration
 * @param warnings options that have no effect in this job, and may in another one
 */
public record JobOptions(Configuration values, List<String> warnings) {

  public JobOptions {
    warnings = List.copyOf(warnings);
  }

  /**
   * Checks every key and every value, and what the options of a training job say together; those of
   * scoring, too, where the job scores.
   *
   * @param given what the user and a command say
   * @param cluster Flink's configuration
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static JobOptions training(Configuration given, ReadableConfig cluster) {
    return training(given, cluster, List.of());
  }

  /**
   * The same, of options from a command line.
   *
   * @param arguments the command's own, such as {@code --parallelism}, for hints
   */
  public static JobOptions training(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    List<String> problems = requireValues(given, arguments);
    Configuration values = complete(given, cluster);
    problems.addAll(OptionRules.violations(values));
    return of(given, values, TrainingDependences.ALL, problems);
  }

  /**
   * The same for a job that only scores: what is for training alone needn't be there, and isn't
   * used where it is.
   */
  public static JobOptions scoring(Configuration given, ReadableConfig cluster) {
    return scoring(given, cluster, List.of());
  }

  /** The same, of options from a command line. */
  public static JobOptions scoring(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    List<String> problems = requireValues(given, arguments);
    Configuration values = complete(given, cluster);
    problems.addAll(OptionRules.scoringViolations(values));
    return of(given, values, ScoringDependences.ALL, problems);
  }

  /**
   * Checks keys and values alone, each by itself: for a use of the options that isn't a job.
   *
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static void checkEach(Configuration given, Collection<String> arguments) {
    refuseIfAny(requireValues(given, arguments));
  }

  /** The same where there is no command line. */
  public static void checkEach(Configuration given) {
    checkEach(given, List.of());
  }

  /**
   * The problems of keys; rules read values, so these have to be right before.
   *
   * @throws InvalidOptionsException if a value is wrong
   */
  private static List<String> requireValues(Configuration given, Collection<String> arguments) {
    OptionCheck check =
        new OptionCheck(
            MillraceOptions.settings().toList(),
            List.of(KafkaOptions.PREFIX, FlinkOptions.PREFIX),
            arguments);
    List<String> problems = new ArrayList<>(check.unknownKeys(given));
    List<String> wrongValues = check.wrongValues(given);
    if (!wrongValues.isEmpty()) {
      problems.addAll(wrongValues);
      refuseIfAny(problems);
    }
    return problems;
  }

  private static Configuration complete(Configuration given, ReadableConfig cluster) {
    return Preset.complete(given)
        .set(CheckpointOptions.INTERVAL, CheckpointOptions.interval(given, cluster));
  }

  private static JobOptions of(
      Configuration given,
      Configuration values,
      List<Dependence> dependences,
      List<String> problems) {
    problems.addAll(Dependence.violations(dependences, Dependence.Outcome.REFUSED, given, values));
    refuseIfAny(problems);
    return new JobOptions(
        values, Dependence.violations(dependences, Dependence.Outcome.WARNED, given, values));
  }

  private static void refuseIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }
}
