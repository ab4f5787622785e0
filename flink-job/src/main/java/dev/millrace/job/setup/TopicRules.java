package dev.millrace.job.setup;

import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.setup.OptionalParts;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** No topic that a job reads examples from is one that it writes something else to. */
final class TopicRules {

  private final Configuration options;
  private final OptionRules rules;

  private TopicRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  static void checkTraining(OptionRules rules) {
    new TopicRules(rules).checkTopics();
  }

  static void checkScoring(OptionRules rules) {
    TopicRules topics = new TopicRules(rules);
    topics.checkPredictions();
    topics.checkScored();
  }

  private void checkTopics() {
    List<ConfigOption<String>> others =
        Stream.concat(
                Stream.of(
                    DeadLetterOptions.TOPIC,
                    MetricsOptions.TOPIC,
                    EvaluationOptions.HOLDOUT,
                    SnapshotOptions.TOPIC),
                OptionalParts.topicOptions(options))
            .toList();
    for (ConfigOption<String> other : others) {
      String topic = topic(other).orElse(null);
      if (topic != null && isInput(topic)) {
        rules.broken(
            "%s is '%s', which is an input topic too; it must be another one"
                .formatted(other.key(), topic));
      }
    }
  }

  private Optional<String> topic(ConfigOption<String> option) {
    return option.equals(EvaluationOptions.HOLDOUT)
        ? EvaluationOptions.holdOutTopic(options)
        : options.getOptional(option);
  }

  private boolean isInput(String topic) {
    return options.getOptional(InputOptions.TOPICS).orElse(List.of()).contains(topic)
        || options
            .getOptional(InputOptions.TOPIC_PATTERN)
            .filter(pattern -> Pattern.matches(pattern, topic))
            .isPresent();
  }

  /** A prediction is no example: read as one, it would be rejected for ever. */
  private void checkPredictions() {
    String output = options.getOptional(ScoringOptions.OUTPUT_TOPIC).orElse(null);
    if (output == null) {
      return;
    }
    for (ConfigOption<List<String>> input : List.of(ScoringOptions.TOPICS, InputOptions.TOPICS)) {
      if (options.getOptional(input).orElse(List.of()).contains(output)) {
        clash(ScoringOptions.OUTPUT_TOPIC, output, input);
      }
    }
    options
        .getOptional(InputOptions.TOPIC_PATTERN)
        .filter(pattern -> Pattern.matches(pattern, output))
        .ifPresent(
            pattern -> clash(ScoringOptions.OUTPUT_TOPIC, output, InputOptions.TOPIC_PATTERN));
    for (ConfigOption<String> other :
        List.of(DeadLetterOptions.TOPIC, MetricsOptions.TOPIC, EvaluationOptions.HOLDOUT)) {
      if (topic(other).filter(output::equals).isPresent()) {
        clash(ScoringOptions.OUTPUT_TOPIC, output, other);
      }
    }
  }

  private void checkScored() {
    List<String> topics = options.getOptional(ScoringOptions.TOPICS).orElse(List.of());
    for (ConfigOption<String> written : List.of(DeadLetterOptions.TOPIC, MetricsOptions.TOPIC)) {
      options
          .getOptional(written)
          .filter(topics::contains)
          .ifPresent(topic -> clash(written, topic, ScoringOptions.TOPICS));
    }
  }

  private void clash(ConfigOption<?> written, String topic, ConfigOption<?> other) {
    rules.broken(
        "%s is '%s', which is in %s too; it must be another one"
            .formatted(written.key(), topic, other.key()));
  }
}
