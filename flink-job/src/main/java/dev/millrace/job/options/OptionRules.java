package dev.millrace.job.options;

import dev.millrace.model.Target;
import dev.millrace.snapshot.Gate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * What options must say together. Every value is already known to be right on its own, and presets
 * and the cluster's configuration have been added.
 */
final class OptionRules {

  private final Configuration options;
  private final List<String> problems = new ArrayList<>();

  private OptionRules(Configuration options) {
    this.options = options;
  }

  static List<String> violations(Configuration options) {
    OptionRules rules = new OptionRules(options);
    rules.checkExamples();
    rules.checkInput();
    rules.checkModel();
    rules.checkExchange();
    rules.checkTopics();
    rules.checkDeadLetters();
    rules.checkHoldOut();
    rules.checkGate();
    rules.checkPublication();
    if (ScoringOptions.areGiven(options)) {
      rules.checkScoring();
    }
    return rules.problems;
  }

  static List<String> scoringViolations(Configuration options) {
    OptionRules rules = new OptionRules(options);
    rules.checkExamples();
    rules.checkDeadLetters();
    rules.checkScoring();
    return rules.problems;
  }

  private void checkExamples() {
    require(KafkaOptions.BOOTSTRAP_SERVERS);
    require(InputOptions.FEATURES);
    require(InputOptions.OUTPUTS);
    checkClasses();
  }

  private void checkInput() {
    exactlyOne(InputOptions.TOPICS, InputOptions.TOPIC_PATTERN);
    if (options.get(InputOptions.START).equals(InputOptions.GROUP_OFFSETS)) {
      requireGroup("input.start is 'group-offsets'");
    }
    if (options.get(InputOptions.BOUNDED) && options.get(InputOptions.START).equals("latest")) {
      problems.add(
          "input.start is 'latest' and input.bounded is true: no record lies between; start at"
              + " earliest, or don't bound the input");
    }
  }

  private void checkClasses() {
    if (!has(InputOptions.OUTPUTS)) {
      return;
    }
    int outputs = options.get(InputOptions.OUTPUTS);
    boolean classification = options.get(InputOptions.TARGET) == Target.CLASSIFICATION;
    if (classification && outputs < 2) {
      problems.add(
          "input.outputs is '%d'; classification needs at least 2 classes".formatted(outputs));
    }
    List<String> classes = InputOptions.classes(options);
    if (!classes.isEmpty() && !classification) {
      problems.add("input.classes names classes; input.target must be classification then");
    } else if (!classes.isEmpty() && classes.size() != outputs) {
      problems.add(
          "input.classes names %d classes and input.outputs is '%d'; they must agree"
              .formatted(classes.size(), outputs));
    }
    if (new HashSet<>(classes).size() < classes.size()) {
      problems.add("input.classes names a class twice: " + String.join(";", classes));
    }
  }

  private void checkModel() {
    exactlyOne(ModelOptions.NAME, ModelOptions.CONFIGURATION, ModelOptions.ARCHIVE);
    checkFile(ModelOptions.CONFIGURATION);
    if (!options.getOptional(ModelOptions.ARCHIVE).orElse("").contains("://")) {
      checkFile(ModelOptions.ARCHIVE);
    }
    boolean lenet = options.getOptional(ModelOptions.NAME).filter("lenet"::equals).isPresent();
    if (lenet && has(InputOptions.FEATURES)) {
      checkImage(options.get(InputOptions.FEATURES));
    }
  }

  private void checkImage(int features) {
    List<Integer> image = options.getOptional(ModelOptions.IMAGE).orElse(List.of());
    if (image.isEmpty()) {
      int side = (int) Math.sqrt(features);
      if (side * side != features) {
        problems.add(
            "model.image is missing; %d features are no square image, so lenet needs its"
                    .formatted(features)
                + " height;width;channels");
      }
    } else if (image.size() != 3 || image.stream().reduce(1, (a, b) -> a * b) != features) {
      problems.add(
          "model.image is '%s'; it must be height;width;channels whose product is input.features,"
                  .formatted(image.stream().map(String::valueOf).collect(Collectors.joining(";")))
              + " '%d'".formatted(features));
    }
  }

  private void checkExchange() {
    double min = options.get(CodecOptions.MIN_SHARE);
    double max = options.get(CodecOptions.MAX_SHARE);
    if (min > max) {
      problems.add(
          ("exchange.codec.threshold.min-share is '%s', which is above"
                  + " exchange.codec.threshold.max-share, '%s'")
              .formatted(min, max));
    }
    if (has(ExchangeOptions.INTERVAL) && has(ExchangeOptions.OVERHEAD)) {
      problems.add(
          "exchange.interval and exchange.overhead are both set; contribute by time or by what it"
              + " costs");
    }
  }

  private void checkTopics() {
    for (ConfigOption<String> other :
        List.of(
            DeadLetterOptions.TOPIC,
            MetricsOptions.TOPIC,
            EvaluationOptions.HOLDOUT_TOPIC,
            SnapshotOptions.TOPIC)) {
      String topic = options.getOptional(other).orElse(null);
      if (topic != null && isInput(topic)) {
        problems.add(
            "%s is '%s', which is an input topic too; it must be another one"
                .formatted(other.key(), topic));
      }
    }
  }

  private boolean isInput(String topic) {
    return options.getOptional(InputOptions.TOPICS).orElse(List.of()).contains(topic)
        || options
            .getOptional(InputOptions.TOPIC_PATTERN)
            .filter(pattern -> Pattern.matches(pattern, topic))
            .isPresent();
  }

  private void checkDeadLetters() {
    if (options.get(DeadLetterOptions.GUARANTEE) != DeadLetterOptions.Guarantee.EXACTLY_ONCE) {
      return;
    }
    requireGroup("dead-letter.guarantee is 'exactly-once'");
    if (options.get(CheckpointOptions.INTERVAL).equals(Duration.ZERO)) {
      problems.add(
          "execution.checkpointing.interval is '0', and dead-letter.guarantee 'exactly-once' commits with"
              + " checkpoints; set an interval");
    }
  }

  private void checkHoldOut() {
    if (has(EvaluationOptions.HOLDOUT) && has(EvaluationOptions.HOLDOUT_TOPIC)) {
      problems.add(
          "evaluation.holdout and evaluation.holdout-topic are both set; give one of them");
    }
  }

  private void checkPublication() {
    if (has(SnapshotOptions.TOPIC)) {
      require(SnapshotOptions.DIRECTORY);
    }
    if (has(RegistryOptions.URL) != has(RegistryOptions.MODEL)) {
      problems.add("registry.url and registry.model belong together; give both or neither");
    } else if (has(RegistryOptions.URL)) {
      require(SnapshotOptions.DIRECTORY);
      if (options.get(CheckpointOptions.INTERVAL).isZero()) {
        problems.add(
            "execution.checkpointing.interval is '0', and registry.url registers what checkpoints have"
                + " committed; set an interval");
      }
    }
  }

  private void checkGate() {
    if (!has(GateOptions.METRIC)) {
      return;
    }
    require(SnapshotOptions.DIRECTORY);
    if (!has(EvaluationOptions.HOLDOUT) && !has(EvaluationOptions.HOLDOUT_TOPIC)) {
      problems.add(
          "gate.metric is set, and there is no hold-out set to measure models by; give"
              + " evaluation.holdout or evaluation.holdout-topic");
    }
    boolean regression = options.get(InputOptions.TARGET) == Target.REGRESSION;
    Gate.Metric metric = options.get(GateOptions.METRIC);
    boolean fits =
        switch (metric) {
          case LOSS -> true;
          case ACCURACY -> !regression;
          case MAE, RMSE -> regression;
        };
    if (!fits) {
      problems.add(
          "gate.metric is '%s', which isn't measured for input.target '%s'; take %s"
              .formatted(
                  metric,
                  options.get(InputOptions.TARGET),
                  regression ? "loss, mae or rmse" : "accuracy or loss"));
    }
  }

  private void checkScoring() {
    require(ScoringOptions.TOPICS);
    require(ScoringOptions.OUTPUT_TOPIC);
    boolean topic = has(ScoringOptions.MODELS_TOPIC);
    if (!topic && !has(ScoringOptions.MODELS) && !has(SnapshotOptions.DIRECTORY)) {
      problems.add(
          "None of scoring.models, scoring.models-topic, snapshot.directory is set; name the"
              + " directory or the topic that models are published in");
    } else if (topic && has(ScoringOptions.MODELS)) {
      problems.add("scoring.models and scoring.models-topic are both set; give one of them");
    }
    if (topic && options.get(ScoringOptions.SERVE) == ScoringOptions.Serve.COMMITTED) {
      problems.add(
          "scoring.serve is 'committed', and a topic has the latest models; follow the directory"
              + " with scoring.models");
    }
    if (options.get(ScoringOptions.START).equals(InputOptions.GROUP_OFFSETS)) {
      requireGroup("scoring.start is 'group-offsets'");
    }
    if (options.get(ScoringOptions.GUARANTEE) == ScoringOptions.Guarantee.EXACTLY_ONCE) {
      requireGroup("scoring.guarantee is 'exactly-once'");
    }
    problems.addAll(ScoringRules.violations(options));
  }

  private boolean has(ConfigOption<?> option) {
    return options.contains(option);
  }

  private void require(ConfigOption<?> option) {
    if (!has(option)) {
      problems.add("%s is missing; it must be %s".formatted(option.key(), rangeOf(option)));
    }
  }

  private void requireGroup(String why) {
    if (!has(KafkaOptions.GROUP_ID)) {
      problems.add(
          "%s, and kafka.group.id is missing; give the job a consumer group of its own"
              .formatted(why));
    }
  }

  private void exactlyOne(ConfigOption<?>... choices) {
    List<String> given = Stream.of(choices).filter(this::has).map(ConfigOption::key).toList();
    String all = Stream.of(choices).map(ConfigOption::key).collect(Collectors.joining(", "));
    if (given.isEmpty()) {
      problems.add("None of %s is set; give exactly one".formatted(all));
    } else if (given.size() > 1) {
      problems.add(String.join(" and ", given) + " are both set; give exactly one of " + all);
    }
  }

  private void checkFile(ConfigOption<String> option) {
    String file = options.getOptional(option).orElse(null);
    if (file != null && !Files.isReadable(Path.of(file))) {
      problems.add("%s is '%s'; there is no such readable file".formatted(option.key(), file));
    }
  }

  private static String rangeOf(ConfigOption<?> option) {
    return MillraceOptions.named(option.key()).orElseThrow().range().text();
  }
}
