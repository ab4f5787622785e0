package dev.millrace.job.train.part.updates;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.UpdateOptions;
import dev.millrace.job.train.options.GateOptions;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartTopic;
import dev.millrace.job.train.publish.ModelStream;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Publishes updates, where there is a topic for them. */
public final class UpdatesPart implements OptionalPart {

  @Override
  public OptionGroup options() {
    return UpdateOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return refused(given(UpdateOptions.TOPIC), UpdateOptions.INTERVAL);
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    if (!rules.has(UpdateOptions.TOPIC)) {
      return;
    }
    rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    for (ConfigOption<String> other : List.of(SnapshotOptions.TOPIC, RowsOptions.TOPIC)) {
      String topic = rules.options().get(UpdateOptions.TOPIC);
      if (topic.equals(rules.options().get(other))) {
        rules.broken(
            "%s and %s are both '%s'; give updates a topic of their own"
                .formatted(UpdateOptions.TOPIC.key(), other.key(), topic));
      }
    }
    if (rules.has(GateOptions.METRIC)) {
      rules.broken(
          "%s and %s are both set, and updates would pass by the gate; leave one of them out"
              .formatted(UpdateOptions.TOPIC.key(), GateOptions.METRIC.key()));
    }
  }

  @Override
  public Optional<PartTopic> topic() {
    return Optional.of(
        new PartTopic(UpdateOptions.TOPIC, "updates of models", "an update", 1, false, false));
  }

  @Override
  public Optional<ModelStream.Factory> stream(Configuration options) {
    return UpdatesToTopic.of(options);
  }
}
