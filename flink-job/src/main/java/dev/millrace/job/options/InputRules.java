package dev.millrace.job.options;

import dev.millrace.model.Target;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** What the options of examples and of rejected records must say together, in every job. */
public final class InputRules {

  private final Configuration options;
  private final OptionRules rules;

  private InputRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  public static void check(OptionRules rules) {
    InputRules input = new InputRules(rules);
    input.checkExamples();
    input.checkDeadLetters();
  }

  private void checkExamples() {
    rules.require(KafkaOptions.GROUP, KafkaOptions.BOOTSTRAP_SERVERS);
    rules.require(InputOptions.GROUP, InputOptions.FEATURES);
    rules.require(InputOptions.GROUP, InputOptions.OUTPUTS);
    checkClasses();
  }

  private void checkClasses() {
    if (!rules.has(InputOptions.OUTPUTS)) {
      return;
    }
    int outputs = options.get(InputOptions.OUTPUTS);
    boolean classification = options.get(InputOptions.TARGET) == Target.CLASSIFICATION;
    if (classification && outputs < 2) {
      rules.broken(
          "input.outputs is '%d'; classification needs at least 2 classes".formatted(outputs));
    }
    List<String> classes = InputOptions.classes(options);
    if (!classes.isEmpty() && !classification) {
      rules.broken("input.classes names classes; input.target must be classification then");
    } else if (!classes.isEmpty() && classes.size() != outputs) {
      rules.broken(
          "input.classes names %d classes and input.outputs is '%d'; they must agree"
              .formatted(classes.size(), outputs));
    }
    if (new HashSet<>(classes).size() < classes.size()) {
      rules.broken("input.classes names a class twice: " + String.join(";", classes));
    }
  }

  private void checkDeadLetters() {
    if (options.get(DeadLetterOptions.GUARANTEE) != DeadLetterOptions.Guarantee.EXACTLY_ONCE) {
      return;
    }
    rules.requireConsumerGroup("dead-letter.guarantee is 'exactly-once'");
    if (options.get(CheckpointOptions.INTERVAL).equals(Duration.ZERO)) {
      rules.broken(
          "execution.checkpointing.interval is '0', and dead-letter.guarantee 'exactly-once' commits with"
              + " checkpoints; set an interval");
    }
  }
}
