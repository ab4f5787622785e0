package dev.millrace.job.setup;

import dev.millrace.job.common.CheckpointSetup;
import dev.millrace.job.join.options.JoinOptions;
import dev.millrace.job.join.options.JoinedOptions;
import dev.millrace.job.join.setup.JoinSetup;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.Problems;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.kafka.BrokerUnreachableException;
import dev.millrace.model.InitialModel;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.util.TimeUtils;

/**
 * All that is checked before a job is submitted, and nothing else: no topic is made, and no job is
 * started.
 */
public final class JobCheck {

  /** Stands in for a directory while only a model's size is looked at. */
  private static final String SOME_DIRECTORY = "file:///tmp";

  private final List<String> found = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> unchecked = new ArrayList<>();
  private final List<RuntimeException> problems = new ArrayList<>();

  private JobCheck() {}

  /**
   * Checks a job that trains; or that only scores or joins, where the options have topics for that
   * and say nothing of an input and a model. Each step is tried, whatever others find.
   *
   * @param cluster Flink's configuration
   * @param arguments the command's own, for hints
   */
  public static JobCheck of(
      Configuration given, ReadableConfig cluster, Collection<String> arguments) {
    JobCheck check = new JobCheck();
    try {
      if (joins(given)) {
        check.joining(JobOptions.check(JobKind.JOINING, given, cluster, arguments), cluster);
      } else if (trains(given)) {
        check.training(JobOptions.check(JobKind.TRAINING, given, cluster, arguments), cluster);
      } else {
        check.scoring(JobOptions.check(JobKind.SCORING, given, cluster, arguments), cluster);
      }
    } catch (InvalidOptionsException e) {
      check.add(e);
    }
    return check;
  }

  /** Returns what there is, a line each. */
  public List<String> found() {
    return found;
  }

  /** Returns what doesn't keep the job from being submitted, a line each. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns what couldn't be looked at, and why, a line each; whether it is right nobody knows. */
  public List<String> unchecked() {
    return unchecked;
  }

  /** Returns what keeps the job from being submitted; each problem with a message of its own. */
  public List<RuntimeException> problems() {
    return problems;
  }

  private static boolean trains(Configuration given) {
    return !ScoringOptions.areGiven(given) || hasModel(given);
  }

  private static boolean joins(Configuration given) {
    return JoinOptions.areGiven(given) && !ScoringOptions.areGiven(given) && !hasModel(given);
  }

  private static boolean hasModel(Configuration given) {
    return Stream.of(
            InputOptions.TOPICS,
            InputOptions.TOPIC_PATTERN,
            ModelOptions.NAME,
            ModelOptions.CONFIGURATION,
            ModelOptions.ARCHIVE)
        .anyMatch(given::contains);
  }

  private void training(CheckedOptions options, ReadableConfig cluster) {
    Configuration values = options.values();
    JobSetup setup = new JobSetup(JobKind.TRAINING, options, this::add);
    warnings.addAll(0, setup.warnings());
    found.add(
        ScoringOptions.areGiven(values) ? "Job:       trains and scores" : "Job:       trains");
    examples(values);
    setup
        .history(cluster, this::add, this::unchecked)
        .ifPresent(history -> found.add("History:   " + history));
    if (setup.settingsOrNull() != null) {
      model(values, setup, cluster);
    }
    values
        .getOptional(EvaluationOptions.HOLDOUT)
        .ifPresent(holdOut -> found.add("Hold-out:  " + holdOut));
  }

  private void scoring(CheckedOptions options, ReadableConfig cluster) {
    found.add("Job:       only scores");
    examples(options.values());
    Problems all = this::add;
    ScoringSetup setup = new ScoringSetup(options);
    all.attempt(setup::check);
    warnings.addAll(setup.warnings());
    warnings.addAll(setup.resume(cluster, all, this::unchecked));
  }

  private void joining(CheckedOptions options, ReadableConfig cluster) {
    Configuration values = options.values();
    found.add("Job:       joins");
    found.add("Kafka:     " + values.get(KafkaOptions.BOOTSTRAP_SERVERS));
    found.add(
        "Join:      %s with %s within %s, to %s"
            .formatted(
                String.join(", ", values.get(JoinOptions.FEATURES)),
                String.join(", ", values.get(JoinOptions.LABELS)),
                TimeUtils.formatWithHighestUnit(values.get(JoinOptions.WITHIN)),
                values.get(JoinedOptions.OUTPUT)));
    Problems all = this::add;
    JoinSetup setup = new JoinSetup(options);
    all.attempt(setup::checkTopics);
    warnings.addAll(setup.warnings());
    warnings.addAll(setup.resume(cluster, all, this::unchecked));
  }

  private void examples(Configuration values) {
    ExampleShape shape = InputOptions.shape(values);
    found.add("Kafka:     " + values.get(KafkaOptions.BOOTSTRAP_SERVERS));
    found.add(
        String.format(
            Locale.ROOT,
            "Examples:  %s, %s%,d features, %,d outputs (%s)",
            values.get(InputOptions.FORMAT),
            shape.structure().isSequence()
                ? String.format(Locale.ROOT, "sequences of up to %,d steps, each ", shape.rows())
                : "",
            shape.width(),
            shape.outputs(),
            shape.target()));
  }

  private void model(Configuration values, JobSetup setup, ReadableConfig cluster) {
    InitialModel model = setup.initialModel();
    found.add(
        String.format(
            Locale.ROOT,
            "Model:     %s, %,d parameters, %,d values of updater state, features %s",
            model.spec().kind(),
            model.spec().parameters(),
            model.spec().vectorLength() - model.spec().parameters(),
            features(setup.settingsOrNull().coordinator().start().learned().statistics())));
    Problems all = this::add;
    warnings.addAll(setup.resume(cluster, all, this::unchecked));
    Configuration flink = Configuration.fromMap(cluster.toMap());
    values
        .getOptional(CheckpointOptions.DIRECTORY)
        .ifPresent(place -> flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, place));
    room(values, model, flink);
  }

  private static String features(FeatureStatistics statistics) {
    if (statistics.features() == 0) {
      return "as they are";
    }
    return statistics.clips()
        ? "standardized, clipped at %s deviations"
            .formatted(BigDecimal.valueOf(statistics.clip()).stripTrailingZeros().toPlainString())
        : "standardized";
  }

  private void room(Configuration values, InitialModel model, Configuration flink) {
    int before = problems.size();
    Problems all = this::add;
    all.attempt(
        () ->
            CheckpointSetup.requireRoom(
                values,
                model.spec(),
                new Configuration()
                    .set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, SOME_DIRECTORY)));
    if (problems.size() == before) {
      try {
        CheckpointSetup.requireRoom(values, model.spec(), flink);
      } catch (InvalidOptionsException e) {
        // Who submits the job may have a cluster that says it, or a work directory.
        warnings.add(e.getMessage());
      }
    }
  }

  private void unchecked(String what) {
    if (!unchecked.contains(what)) {
      unchecked.add(what);
    }
  }

  private void add(RuntimeException problem) {
    if (problem instanceof BrokerUnreachableException) {
      unchecked(problem.getMessage() + ". Topics aren't checked");
    } else {
      problems.add(problem);
    }
  }
}
