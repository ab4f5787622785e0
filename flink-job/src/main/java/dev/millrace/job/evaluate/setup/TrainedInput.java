package dev.millrace.job.evaluate.setup;

import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * The fields and the lags that a model was trained on, for who evaluates it without describing them
 * again.
 */
final class TrainedInput {

  private static final String PREFIX = "input.";

  /** Which records were learned from: those that a model is measured on are others. */
  private static final Set<String> OF_THE_TOPIC =
      Set.of(
          InputOptions.TOPICS.key(),
          InputOptions.TOPIC_PATTERN.key(),
          InputOptions.START.key(),
          InputOptions.BOUNDED.key());

  private TrainedInput() {}

  /** The options with what the model's own job said of fields, where they say nothing. */
  static Configuration complete(Configuration given, Optional<SnapshotDescription> description) {
    Configuration options = new Configuration(given);
    Configuration trained =
        Configuration.fromMap(description.map(SnapshotDescription::configuration).orElse(Map.of()));
    for (ConfigOption<?> option : List.of(LagOptions.LAGS, LagOptions.BY)) {
      if (trained.contains(option) && !given.contains(option)) {
        options.setString(option.key(), trained.toMap().get(option.key()));
      }
    }
    if (InputFields.areGiven(given)) {
      return options;
    }
    if (InputFields.areGiven(trained)) {
      trained
          .toMap()
          .forEach(
              (key, value) -> {
                if (key.startsWith(PREFIX)
                    && !OF_THE_TOPIC.contains(key)
                    && !options.containsKey(key)) {
                  options.setString(key, value);
                }
              });
    }
    return options;
  }
}
