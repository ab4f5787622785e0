package dev.millrace.job.setup;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.join.options.JoinDependences;
import dev.millrace.job.join.options.JoinRules;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputRules;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.job.score.options.ScoringDependences;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.options.ScoringRules;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.setup.OptionalParts;
import dev.millrace.job.train.setup.TrainingDependences;
import dev.millrace.job.train.setup.TrainingRules;
import java.util.List;
import java.util.function.Consumer;

/** Kinds of jobs: what options have to say together in each, and which act in it. */
public enum JobKind {

  /** Trains on topics, and scores, too, where options say so. */
  TRAINING(training(), JobKind::checkTraining, true),

  /**
   * Trains as a part of a program's job: the program gives a source of examples, and the
   * environment its checkpoints.
   */
  MAPPED(mapped(), JobKind::checkMapped, false),

  /** Trains as a part of a program's job, which gives a stream. */
  STREAMED(all(List.of(MappedDependences.OF_STREAM, mapped())), JobKind::checkMapped, false),

  /** Trains on a table, to which a query of SQL gives rows. */
  OF_TABLE(
      all(
          List.of(
              MappedDependences.OF_TABLE, MappedDependences.OF_STREAM, TrainingDependences.ALL)),
      JobKind::checkTable,
      false),

  /** Only scores: what is for training alone needn't be there, and isn't used where it is. */
  SCORING(ScoringDependences.ALONE, JobKind::checkScoring, true),

  /** Joins: what is for other jobs isn't used where it is there. */
  JOINING(JoinDependences.ALL, JoinRules::check, true);

  // Neither ever changes.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Dependence> dependences;

  @SuppressWarnings("ImmutableEnumChecker")
  private final Consumer<OptionRules> rules;

  private final boolean whole;

  JobKind(List<Dependence> dependences, Consumer<OptionRules> rules, boolean whole) {
    this.dependences = dependences;
    this.rules = rules;
    this.whole = whole;
  }

  /** Says which options act under which condition alone. */
  List<Dependence> dependences() {
    return dependences;
  }

  /** Checks what options say together. */
  void check(OptionRules options) {
    rules.accept(options);
  }

  /** Whether Millrace makes all of the job, with the input and the checkpoints of the options. */
  boolean isWhole() {
    return whole;
  }

  private static List<Dependence> training() {
    return all(
        List.of(
            TrainingDependences.ALL,
            ScoringDependences.BESIDE_TRAINING,
            refused(
                given(DeadLetterOptions.TOPIC, ScoringOptions.TOPICS, ScoringOptions.OUTPUT_TOPIC)
                    .or(OptionalParts.write()),
                OutputOptions.GUARANTEE)));
  }

  private static List<Dependence> mapped() {
    return all(
        List.of(
            MappedDependences.ALL,
            TrainingDependences.ALL.stream()
                .filter(dependence -> !MappedDependences.ACT_ALWAYS.contains(dependence.key()))
                .toList()));
  }

  private static List<Dependence> all(List<List<Dependence>> parts) {
    return parts.stream().flatMap(List::stream).toList();
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
    if (MappedDependences.USE_KAFKA.stream().anyMatch(rules::has)
        || EvaluationOptions.holdOutTopic(rules.options()).isPresent()) {
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
}
