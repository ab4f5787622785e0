package dev.millrace.job.train.options;

import dev.millrace.job.options.ModelOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/**
 * Named combinations of options of all kinds; docs/internals/continual.md tells where they come
 * from.
 */
public enum JobPreset {
  /**
   * Fits tables that are learned record by record, as they come: each record is learned at once, by
   * several models in the place of one.
   */
  STREAMING(
      Map.of(
          "batch.size", "1",
          "batch.local-size", "1",
          "exchange.local-steps", "1"),
      Map.of(
          "model.updater", "adam",
          "model.momentum", "0"));

  static final String KEY = "preset";

  @SuppressWarnings("ImmutableEnumChecker") // Made by Map.of.
  private final Map<String, String> options;

  /** Where the model is a built-in one: others say themselves how they learn. */
  @SuppressWarnings("ImmutableEnumChecker") // Made by Map.of.
  private final Map<String, String> learning;

  JobPreset(Map<String, String> options, Map<String, String> learning) {
    this.options = options;
    this.learning = learning;
  }

  /**
   * Returns these options, and what their preset adds to them; as {@link Preset#complete}.
   *
   * @param more what optional parts add to {@link #STREAMING} for built-in models
   */
  public static Configuration complete(Configuration options, List<Map<String, String>> more) {
    Configuration completed = new Configuration(options);
    for (JobPreset preset : values()) {
      if (preset.toString().equalsIgnoreCase(options.toMap().get(KEY))) {
        add(preset.options, options, completed);
        if (options.contains(ModelOptions.NAME)) {
          add(preset.learning, options, completed);
          more.forEach(part -> add(part, options, completed));
        }
      }
    }
    return completed;
  }

  private static void add(Map<String, String> more, Configuration given, Configuration completed) {
    more.forEach(
        (key, value) -> {
          if (!given.containsKey(key)) {
            completed.setString(key, value);
          }
        });
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
