package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How often a record may appear in a topic that a job writes to. */
public final class OutputOptions {

  /** What failures may do to records. */
  public enum Guarantee {
    /** After a failure some predictions are missing, and others there twice. */
    NONE,
    /** Once or, after a failure, more than once. */
    AT_LEAST_ONCE,
    /** Once, for readers of committed records; visible with the next checkpoint. */
    EXACTLY_ONCE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<Guarantee> GUARANTEE =
      ConfigOptions.key("output.guarantee")
          .enumType(Guarantee.class)
          .defaultValue(Guarantee.AT_LEAST_ONCE)
          .withDescription(
              "How often predictions and dead letters may appear after failures. none: for"
                  + " predictions only.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Output",
          "Predictions and dead letters. A join always writes exactly once.",
          List.of(Setting.of(GUARANTEE, Range.oneOf(Guarantee.class))));

  private OutputOptions() {}

  /** Transactions have a name, and are committed by checkpoints. */
  static void check(OptionRules rules) {
    if (rules.options().get(GUARANTEE) != Guarantee.EXACTLY_ONCE) {
      return;
    }
    rules.requireConsumerGroup("output.guarantee is 'exactly-once'");
    if (rules.options().get(CheckpointOptions.INTERVAL).equals(Duration.ZERO)) {
      rules.broken(
          "execution.checkpointing.interval is '0', and output.guarantee 'exactly-once' commits with"
              + " checkpoints; set an interval");
    }
  }
}
