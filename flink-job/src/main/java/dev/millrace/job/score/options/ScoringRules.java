package dev.millrace.job.score.options;

import dev.millrace.job.options.InputRules;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.SnapshotOptions;
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
    InputRules.checkOffsets(rules, ScoringOptions.START);
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
}
