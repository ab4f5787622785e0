package dev.millrace.job.train.setup;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InputRules;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.LearningOptions.Decay;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.job.train.options.GateOptions;
import dev.millrace.job.train.options.LineageOptions;
import dev.millrace.job.train.options.MlflowOptions;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.PublicationGate;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** What the options of training must say together. */
public final class TrainingRules {

  private final Configuration options;
  private final OptionRules rules;

  private TrainingRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  public static void check(OptionRules rules) {
    new TrainingRules(rules).checkInput();
    checkMapped(rules);
  }

  /** Checks the options of training where a program gives the examples. */
  public static void checkMapped(OptionRules rules) {
    TrainingRules training = new TrainingRules(rules);
    training.checkModel();
    training.checkLearning();
    training.checkExchange();
    training.checkDelay();
    training.checkFragments();
    training.checkHoldOut();
    training.checkGate();
    training.checkPublication();
    OptionalParts.check(rules);
    ExtensionOptions.check(rules);
  }

  private void checkInput() {
    rules.requireExactlyOne(
        "input.topics: payments", InputOptions.TOPICS, InputOptions.TOPIC_PATTERN);
    InputRules.checkOffsets(rules, InputOptions.START);
  }

  private void checkModel() {
    rules.requireExactlyOne(
        "model.name: mlp", ModelOptions.NAME, ModelOptions.CONFIGURATION, ModelOptions.ARCHIVE);
    rules.requireFile(ModelOptions.CONFIGURATION);
    if (!options.getOptional(ModelOptions.ARCHIVE).orElse("").contains("://")) {
      rules.requireFile(ModelOptions.ARCHIVE);
    }
    boolean lenet = options.getOptional(ModelOptions.NAME).filter("lenet"::equals).isPresent();
    if (lenet && rules.has(InputOptions.FEATURES)) {
      checkImage(options.get(InputOptions.FEATURES));
    }
  }

  private void checkLearning() {
    if (options.get(LearningOptions.DECAY) != Decay.CONSTANT) {
      rules.require(LearningOptions.GROUP, LearningOptions.DECAY_STEPS);
    }
    Target target = options.get(InputOptions.TARGET);
    List<String> suitable =
        switch (target) {
          case CLASSIFICATION -> List.of("cross-entropy");
          case MULTI_LABEL -> List.of("binary-cross-entropy");
          case REGRESSION -> List.of("mse", "mae", "huber");
        };
    options
        .getOptional(LearningOptions.LOSS)
        .filter(loss -> !suitable.contains(loss))
        .ifPresent(
            loss ->
                rules.broken(
                    "model.loss is '%s', which isn't for input.target '%s'; take %s, or leave it out"
                        .formatted(loss, target, String.join(" or ", suitable))));
  }

  private void checkImage(int features) {
    List<Integer> image = options.getOptional(ModelOptions.IMAGE).orElse(List.of());
    if (image.isEmpty()) {
      int side = (int) Math.sqrt(features);
      if (side * side != features) {
        rules.broken(
            "model.image is missing; %s features are no square image, so lenet needs its"
                    .formatted(features)
                + " height;width;channels");
      }
    } else if (image.size() != 3 || image.stream().reduce(1, (a, b) -> a * b) != features) {
      rules.broken(
          "model.image is '%s'; it must be height;width;channels whose product is input.features,"
                  .formatted(image.stream().map(String::valueOf).collect(Collectors.joining(";")))
              + " '%s'".formatted(features));
    }
  }

  private void checkExchange() {
    if (rules.has(ExchangeOptions.INTERVAL) && rules.has(ExchangeOptions.OVERHEAD)) {
      rules.broken(
          "exchange.interval and exchange.overhead are both set; contribute by time or by what it"
              + " costs");
    }
  }

  private void checkDelay() {
    int delay = options.get(ExchangeOptions.DELAY);
    if (delay == 0) {
      return;
    }
    String schedule = options.get(ExchangeOptions.SCHEDULE);
    if (!schedule.equals(ExchangeOptions.Schedule.SYNC.toString())) {
      rules.broken(
          "exchange.delay is '%s' and exchange.schedule is '%s', which has no fixed delay; set it to sync"
              .formatted(delay, schedule));
    }
    for (ConfigOption<?> byTime : List.of(ExchangeOptions.INTERVAL, ExchangeOptions.OVERHEAD)) {
      if (rules.has(byTime)) {
        rules.broken(
            ("exchange.delay is '%s', a number of steps, and %s is '%s', which lets time decide;"
                    + " take exchange.local-steps alone")
                .formatted(delay, byTime.key(), options.get(byTime)));
      }
    }
    int fragments = options.get(ExchangeOptions.FRAGMENTS);
    int steps = options.get(ExchangeOptions.LOCAL_STEPS) / fragments;
    if (delay >= steps) {
      rules.broken(
          ("exchange.delay is '%s', and a replica makes %s local steps between two contributions%s;"
                  + " make it less, or exchange.local-steps more")
              .formatted(
                  delay,
                  steps,
                  fragments > 1 ? ", as exchange.fragments is '%s'".formatted(fragments) : ""));
    }
  }

  private void checkFragments() {
    int fragments = options.get(ExchangeOptions.FRAGMENTS);
    if (fragments == 1) {
      return;
    }
    int localSteps = options.get(ExchangeOptions.LOCAL_STEPS);
    if (!rules.has(ExchangeOptions.INTERVAL) && localSteps < fragments) {
      rules.broken(
          ("exchange.fragments is '%s' and exchange.local-steps is '%s': each fragment needs a"
                  + " local step before its turn; make at least as many steps, or fewer fragments")
              .formatted(fragments, localSteps));
    }
    if (options.get(ExchangeOptions.AVERAGE_UPDATER)) {
      rules.broken(
          ("exchange.fragments is '%s' and exchange.average-updater is 'true': the moments of a"
                  + " parameter would be of different rounds; set it to false, as exchange.preset"
                  + " low-communication does")
              .formatted(fragments));
    }
    if (options.get(ExchangeOptions.COMBINE) == ExchangeOptions.FirstLevel.PROCESS) {
      rules.broken(
          ("exchange.fragments is '%s' and exchange.combine is 'process', which takes contributions"
                  + " of the whole model; set one of them to its default")
              .formatted(fragments));
    }
  }

  private void checkHoldOut() {
    if (options.get(EvaluationOptions.SEGMENTS) == EvaluationOptions.Segments.CLASS
        && (options.get(InputOptions.TARGET) != Target.CLASSIFICATION || labelsEachStep())) {
      rules.broken("evaluation.segments is 'class', and examples have no class each; take period");
    }
  }

  private boolean labelsEachStep() {
    return rules.has(StructureOptions.SEQUENCE_STEPS)
        && options.get(StructureOptions.SEQUENCE_LABELS) == StructureOptions.Labels.STEP;
  }

  private void checkPublication() {
    if (rules.has(SnapshotOptions.TOPIC)) {
      rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    }
    MlflowOptions.check(rules);
    LineageOptions.check(rules);
  }

  private void checkGate() {
    if (!rules.has(GateOptions.METRIC)) {
      return;
    }
    rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    if (!rules.has(EvaluationOptions.HOLDOUT)) {
      rules.broken(
          "gate.metric is set, and there is no hold-out set to measure models by; give"
              + " evaluation.holdout");
    }
    boolean regression = options.get(InputOptions.TARGET) == Target.REGRESSION;
    PublicationGate.Metric metric = options.get(GateOptions.METRIC);
    boolean fits =
        switch (metric) {
          case LOSS -> true;
          case ACCURACY, AUC -> !regression;
          case MAE, RMSE -> regression;
        };
    if (!fits) {
      rules.broken(
          "gate.metric is '%s', which isn't measured for input.target '%s'; take %s"
              .formatted(
                  metric,
                  options.get(InputOptions.TARGET),
                  regression ? "loss, mae or rmse" : "accuracy, loss or, of two classes, auc"));
    }
  }
}
