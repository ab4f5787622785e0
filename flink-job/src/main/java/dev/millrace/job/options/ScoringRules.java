package dev.millrace.job.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** What options of scoring must say together, those that are there. */
final class ScoringRules {

  private final Configuration options;
  private final List<String> problems = new ArrayList<>();

  private ScoringRules(Configuration options) {
    this.options = options;
  }

  static List<String> violations(Configuration options) {
    ScoringRules rules = new ScoringRules(options);
    rules.checkOutput();
    rules.checkTopics();
    rules.checkOffsets();
    rules.checkGuarantee();
    return rules.problems;
  }

  /** A prediction is no example: read as one, it would be rejected for ever. */
  private void checkOutput() {
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
        List.of(DeadLetterOptions.TOPIC, MetricsOptions.TOPIC, EvaluationOptions.HOLDOUT_TOPIC)) {
      if (options.getOptional(other).filter(output::equals).isPresent()) {
        clash(ScoringOptions.OUTPUT_TOPIC, output, other);
      }
    }
  }

  private void checkTopics() {
    List<String> topics = options.getOptional(ScoringOptions.TOPICS).orElse(List.of());
    for (ConfigOption<String> written : List.of(DeadLetterOptions.TOPIC, MetricsOptions.TOPIC)) {
      options
          .getOptional(written)
          .filter(topics::contains)
          .ifPresent(topic -> clash(written, topic, ScoringOptions.TOPICS));
    }
  }

  private void clash(ConfigOption<?> written, String topic, ConfigOption<?> other) {
    problems.add(
        "%s is '%s', which is in %s too; it must be another one"
            .formatted(written.key(), topic, other.key()));
  }

  private void checkOffsets() {
    if (options.get(ScoringOptions.BOUNDED) && options.get(ScoringOptions.START).equals("latest")) {
      problems.add(
          "scoring.start is 'latest' and scoring.bounded is true: no record lies between; start at"
              + " earliest, or don't bound scoring");
    }
  }

  private void checkGuarantee() {
    if (options.get(ScoringOptions.GUARANTEE) == ScoringOptions.Guarantee.EXACTLY_ONCE
        && options.get(CheckpointOptions.INTERVAL).equals(Duration.ZERO)) {
      problems.add(
          "execution.checkpointing.interval is '0', and scoring.guarantee 'exactly-once' commits with"
              + " checkpoints; set an interval");
    }
  }
}
