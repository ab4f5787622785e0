package dev.millrace.job.join.options;

import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InputRules;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** What the options of a join must say together. */
public final class JoinRules {

  private final Configuration options;
  private final OptionRules rules;

  private JoinRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  public static void check(OptionRules rules) {
    JoinRules join = new JoinRules(rules);
    join.checkSides();
    join.checkTopics();
    join.checkNegatives();
    SideFormat.FEATURES.check(rules);
    SideFormat.LABELS.check(rules);
    InputRules.checkOffsets(rules, InputOptions.START);
    join.checkTransactions();
  }

  private void checkSides() {
    rules.require(KafkaOptions.GROUP, KafkaOptions.BOOTSTRAP_SERVERS);
    rules.require(JoinedOptions.GROUP, JoinOptions.FEATURES);
    rules.require(JoinedOptions.GROUP, JoinOptions.LABELS);
    rules.require(JoinedOptions.GROUP, JoinedOptions.OUTPUT);
    rules.require(JoinedOptions.GROUP, JoinOptions.WITHIN);
  }

  /** No topic has two parts: the join would read what it writes, or mix what it keeps apart. */
  private void checkTopics() {
    Map<String, String> parts = new TreeMap<>();
    for (ConfigOption<List<String>> read : List.of(JoinOptions.FEATURES, JoinOptions.LABELS)) {
      options
          .getOptional(read)
          .orElse(List.of())
          .forEach(topic -> checkTopic(parts, topic, read.key()));
    }
    for (ConfigOption<String> written : List.of(JoinedOptions.OUTPUT, DeadLetterOptions.TOPIC)) {
      options.getOptional(written).ifPresent(topic -> checkTopic(parts, topic, written.key()));
    }
  }

  private void checkTopic(Map<String, String> parts, String topic, String key) {
    String other = parts.put(topic, key);
    if (other != null) {
      rules.broken(
          other.equals(key)
              ? "%s names '%s' twice".formatted(key, topic)
              : "%s is '%s', which is in %s too; it must be another one"
                  .formatted(key, topic, other));
    }
  }

  private void checkNegatives() {
    if (options.get(JoinedOptions.UNLABELLED) == JoinedOptions.Unlabelled.NEGATIVE) {
      rules.require(JoinedOptions.GROUP, JoinedOptions.NEGATIVE_LABEL);
    }
  }

  private void checkTransactions() {
    rules.requireConsumerGroup("A join writes in transactions, which the group names");
    Duration interval = options.get(CheckpointOptions.INTERVAL);
    Duration timeout = JoinOptions.transactionTimeout(options);
    if (interval.isZero()) {
      rules.broken(
          "execution.checkpointing.interval is '0', and a join commits with checkpoints; set an"
              + " interval");
    } else if (interval.compareTo(timeout) >= 0) {
      rules.broken(
          ("execution.checkpointing.interval is '%s s', and a transaction lasts %s s at most"
                  + " (kafka.transaction.timeout.ms); checkpoint more often")
              .formatted(interval.toSeconds(), timeout.toSeconds()));
    }
  }
}
