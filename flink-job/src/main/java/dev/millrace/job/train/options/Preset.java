package dev.millrace.job.train.options;

import java.util.Locale;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/**
 * Named combinations of exchange options; docs/internals/exchange.md tells where they come from.
 */
public enum Preset {
  /** The exchange of ParallelWrapper's AVERAGING and ParameterAveragingTrainingMaster. */
  PARAMETER_AVERAGING(
      Map.of(
          "exchange.schedule", "sync",
          "exchange.local-steps", "3",
          "exchange.codec.contributions", "float32",
          "exchange.aggregator", "mean",
          "exchange.server-optimizer", "none")),
  /** The exchange of {@link #PARAMETER_AVERAGING} without waiting (CoCoD-SGD, Shen et al. 2019). */
  OVERLAP_AVERAGING(
      Map.of(
          "exchange.schedule", "overlap",
          "exchange.local-steps", "3",
          "exchange.codec.contributions", "float32",
          "exchange.aggregator", "mean",
          "exchange.server-optimizer", "none")),
  /**
   * The exchange of SharedTrainingMaster (Strom 2015), with a threshold that lets a share of each
   * layer through, a greater one at first (Lin et al. 2018). What it leaves out decays: each
   * replica has learned much of it on its own, so that at the end the sum would move the model too
   * far.
   */
  GRADIENT_SHARING(
      Map.of(
          "exchange.schedule", "overlap",
          "exchange.local-steps", "1",
          "exchange.average-updater", "false",
          "exchange.codec.contributions", "threshold",
          "exchange.codec.threshold.rule", "quantile",
          "exchange.codec.share", "0.003",
          "exchange.codec.decay", "0.99",
          "exchange.codec.feedback", "sparse",
          "exchange.aggregator", "sum",
          "exchange.server-optimizer", "none")),
  /** Many local steps, few bits, momentum over rounds (DiLoCo, Douillard et al. 2023). */
  LOW_COMMUNICATION(
      Map.of(
          "exchange.schedule", "sync",
          "exchange.local-steps", "60",
          "exchange.average-updater", "false",
          "exchange.codec.contributions", "bfloat16",
          "exchange.codec.feedback", "bfloat16",
          "exchange.aggregator", "mean",
          "exchange.server-optimizer", "nesterov",
          "exchange.server-learning-rate", "0.7")),
  /**
   * Many local steps, and of what they change a few values in two bits each (SparseLoCo, Sarfi et
   * al. 2025).
   */
  SPARSE_COMMUNICATION(
      Map.of(
          "exchange.schedule", "sync",
          "exchange.local-steps", "30",
          "exchange.average-updater", "false",
          "exchange.codec.contributions", "top-k-2-bit",
          "exchange.codec.feedback", "top-k-2-bit",
          "exchange.codec.share", "0.02",
          "exchange.codec.decay", "0.99",
          "exchange.aggregator", "mean",
          "exchange.server-optimizer", "none",
          "exchange.server-learning-rate", "1.5"));

  @SuppressWarnings("ImmutableEnumChecker") // Made by Map.of.
  private final Map<String, String> options;

  Preset(Map<String, String> options) {
    this.options = options;
  }

  /**
   * Returns these options, and what their preset adds to them; what is set already stays. Options
   * whose preset isn't one are left as they are, for the check to find.
   */
  public static Configuration complete(Configuration options) {
    Configuration completed = new Configuration(options);
    for (Preset preset : values()) {
      if (preset.toString().equalsIgnoreCase(options.toMap().get(ExchangeOptions.PRESET.key()))) {
        preset.options.forEach(
            (key, value) -> {
              if (!options.containsKey(key)) {
                completed.setString(key, value);
              }
            });
      }
    }
    return completed;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
