package dev.millrace.job.score.options;

import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.SnapshotOptions;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;

/** What the options of scoring must say together. */
public final class ScoringRules {

  private final Configuration options;
  private final OptionRules rules;

  private ScoringRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  public static void check(OptionRules rules) {
    ScoringRules scoring = new ScoringRules(rules);
    scoring.checkModels();
    scoring.checkOffsets();
    scoring.checkGuarantee();
  }

  private void checkModels() {
    rules.require(ScoringOptions.GROUP, ScoringOptions.TOPICS);
    rules.require(ScoringOptions.GROUP, ScoringOptions.OUTPUT_TOPIC);
    boolean topic = rules.has(ScoringOptions.MODELS_TOPIC);
    if (!topic && !rules.has(ScoringOptions.MODELS) && !rules.has(SnapshotOptions.DIRECTORY)) {
      rules.broken(
          "None of scoring.models, scoring.models-topic, snapshot.directory is set; name the"
              + " directory or the topic that models are published in");
    } else if (topic && rules.has(ScoringOptions.MODELS)) {
      rules.broken("scoring.models and scoring.models-topic are both set; give one of them");
    }
    if (topic && options.get(ScoringOptions.SERVE) == ScoringOptions.Serve.COMMITTED) {
      rules.broken(
          "scoring.serve is 'committed', and a topic has the latest models; follow the directory"
              + " with scoring.models");
    }
  }

  private void checkOffsets() {
    if (options.get(ScoringOptions.START).equals(InputOptions.GROUP_OFFSETS)) {
      rules.requireConsumerGroup("scoring.start is 'group-offsets'");
    }
    if (options.get(ScoringOptions.BOUNDED) && options.get(ScoringOptions.START).equals("latest")) {
      rules.broken(
          "scoring.start is 'latest' and scoring.bounded is true: no record lies between; start at"
              + " earliest, or don't bound scoring");
    }
  }

  private void checkGuarantee() {
    if (options.get(ScoringOptions.GUARANTEE) != ScoringOptions.Guarantee.EXACTLY_ONCE) {
      return;
    }
    rules.requireConsumerGroup("scoring.guarantee is 'exactly-once'");
    if (options.get(CheckpointOptions.INTERVAL).equals(Duration.ZERO)) {
      rules.broken(
          "execution.checkpointing.interval is '0', and scoring.guarantee 'exactly-once' commits with"
              + " checkpoints; set an interval");
    }
  }
}
