package dev.millrace.job.setup;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.warned;

import dev.millrace.job.join.options.JoinDependences;
import dev.millrace.job.join.options.JoinRules;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InputRules;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionCheck;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.score.options.ScoringDependences;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.options.ScoringRules;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.job.train.options.JobPreset;
import dev.millrace.job.train.options.Preset;
import dev.millrace.job.train.options.TrainingDependences;
import dev.millrace.job.train.options.TrainingRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/** Checks what a user gives, as the options of one kind of job. */
public final class JobOptions {

  private static final List<Dependence> TRAINING =
      Stream.of(
              TrainingDependences.ALL,
              ScoringDependences.BESIDE_TRAINING,
              warned(
                  is(InputOptions.BOUNDED, false)
                      .or(given(ScoringOptions.TOPICS).and(is(ScoringOptions.BOUNDED, false))),
                  InputOptions.PARTITION_DISCOVERY))
          .flatMap(List::stream)
          .toList();

  private static final List<Dependence> MAPPED =
      Stream.concat(
              MappedDependences.ALL.stream(),
              TrainingDependences.ALL.stream()
                  .filter(dependence -> !MappedDependences.ACT_ALWAYS.contains(dependence.key())))
          .toList();

  private static final List<Dependence> OF_TABLE =
      Stream.of(MappedDependences.OF_TABLE, MappedDependences.OF_STREAM, TrainingDependences.ALL)
          .flatMap(List::stream)
          .toList();

  private static final List<Dependence> STREAMED =
      Stream.concat(MappedDependences.OF_STREAM.stream(), MAPPED.stream()).toList();

  private JobOptions() {}

  /**
   * Checks every key and every value, and what the options of a training job say together; those of
   * scoring, too, where the job scores.
   *
   * @param given what the user and a command say
   * @param cluster Flink's configuration
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static CheckedOptions training(Configuration given, ReadableConfig cluster) {
    return training(given, cluster, List.of());
  }

  /**
   * The same, of options from a command line.
   *
   * @param arguments the command's own, such as {@code --parallelism}, for hints
   */
  public static CheckedOptions training(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    return check(given, cluster, arguments, JobOptions::checkTraining, TRAINING);
  }

  /**
   * The same for training that is part of a program's job: the program gives the examples, and the
   * environment its checkpoints.
   */
  public static CheckedOptions mapped(Configuration given, ReadableConfig cluster) {
    return mapped(given, cluster, JobOptions::checkMapped, MAPPED);
  }

  /** The same where the program gives a stream, and not a source. */
  public static CheckedOptions streamed(Configuration given, ReadableConfig cluster) {
    return mapped(given, cluster, JobOptions::checkMapped, STREAMED);
  }

  /** The same where a query of SQL gives rows to a table. */
  public static CheckedOptions ofTable(Configuration given, ReadableConfig cluster) {
    return mapped(given, cluster, JobOptions::checkTable, OF_TABLE);
  }

  private static CheckedOptions mapped(
      Configuration given,
      ReadableConfig cluster,
      Consumer<OptionRules> together,
      List<Dependence> dependences) {
    List<String> problems = requireValues(given, List.of());
    Configuration values =
        completed(given)
            .set(
                CheckpointOptions.INTERVAL,
                cluster
                    .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                    .orElse(Duration.ZERO));
    return check(given, values, problems, together, dependences);
  }

  /**
   * The same for a job that only scores: what is for training alone needn't be there, and isn't
   * used where it is.
   */
  public static CheckedOptions scoring(Configuration given, ReadableConfig cluster) {
    return scoring(given, cluster, List.of());
  }

  /** The same, of options from a command line. */
  public static CheckedOptions scoring(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    return check(given, cluster, arguments, JobOptions::checkScoring, ScoringDependences.ALONE);
  }

  /** The same for a job that joins: what is for other jobs isn't used where it is there. */
  public static CheckedOptions joining(Configuration given, ReadableConfig cluster) {
    return joining(given, cluster, List.of());
  }

  /** The same, of options from a command line. */
  public static CheckedOptions joining(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    return check(given, cluster, arguments, JoinRules::check, JoinDependences.ALL);
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
    List<String> passedOn = new ArrayList<>(InputFields.ownOptions(given));
    passedOn.addAll(List.of(KafkaOptions.PREFIX, FlinkOptions.PREFIX, ExtensionOptions.OWN));
    OptionCheck check = new OptionCheck(MillraceOptions.settings().toList(), passedOn, arguments);
    List<String> problems = new ArrayList<>(check.unknownKeys(given));
    List<String> wrongValues = check.wrongValues(given);
    if (!wrongValues.isEmpty()) {
      problems.addAll(wrongValues);
      refuseIfAny(problems);
    }
    return problems;
  }

  private static Configuration complete(Configuration given, ReadableConfig cluster) {
    return completed(given)
        .set(CheckpointOptions.INTERVAL, CheckpointOptions.interval(given, cluster));
  }

  private static Configuration completed(Configuration given) {
    return InputFields.complete(JobPreset.complete(Preset.complete(given)));
  }

  private static CheckedOptions check(
      Configuration given,
      ReadableConfig cluster,
      Collection<String> arguments,
      Consumer<OptionRules> together,
      List<Dependence> dependences) {
    List<String> problems = requireValues(given, arguments);
    return check(given, complete(given, cluster), problems, together, dependences);
  }

  private static CheckedOptions check(
      Configuration given,
      Configuration values,
      List<String> problems,
      Consumer<OptionRules> together,
      List<Dependence> dependences) {
    OptionRules rules = new OptionRules(values);
    together.accept(rules);
    problems.addAll(rules.problems());
    problems.addAll(Dependence.violations(dependences, Dependence.Outcome.REFUSED, given, values));
    refuseIfAny(problems);
    return new CheckedOptions(
        values, Dependence.violations(dependences, Dependence.Outcome.WARNED, given, values));
  }

  private static void checkTraining(OptionRules rules) {
    InputRules.check(rules);
    TrainingRules.check(rules);
    InputRules.checkLabels(rules);
    TopicRules.checkTraining(rules);
    if (ScoringOptions.areGiven(rules.options())) {
      ScoringRules.check(rules);
      TopicRules.checkScoring(rules);
    }
  }

  private static void checkMapped(OptionRules rules) {
    InputRules.checkMapped(rules);
    TrainingRules.checkMapped(rules);
    if (MappedDependences.USE_KAFKA.stream().anyMatch(rules::has)) {
      rules.require(KafkaOptions.GROUP, KafkaOptions.BOOTSTRAP_SERVERS);
    }
  }

  private static void checkTable(OptionRules rules) {
    checkMapped(rules);
    InputRules.checkDeadLetters(rules);
  }

  private static void checkScoring(OptionRules rules) {
    InputRules.check(rules);
    ScoringRules.check(rules);
    TopicRules.checkScoring(rules);
  }

  private static void refuseIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }
}
