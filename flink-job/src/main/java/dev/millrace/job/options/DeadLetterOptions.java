package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where rejected records go. */
public final class DeadLetterOptions {

  /** How often a rejected record may appear in the topic. */
  public enum Guarantee {
    /** Once or, after a failure, more than once. */
    AT_LEAST_ONCE,
    /** Once, for readers of committed records; visible with the next checkpoint. */
    EXACTLY_ONCE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("dead-letter.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives every record that is no example: its bytes, and in headers its origin"
                  + " and the reason. Absent: such records are only counted.");

  public static final ConfigOption<Guarantee> GUARANTEE =
      ConfigOptions.key("dead-letter.guarantee")
          .enumType(Guarantee.class)
          .defaultValue(Guarantee.AT_LEAST_ONCE)
          .withDescription(
              "How often a rejected record may appear in the topic after failures."
                  + " exactly-once writes in Kafka transactions, which are committed with"
                  + " checkpoints.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Dead letters",
          "A record that is no example never stops the job: it is rejected, counted, and kept here.",
          List.of(
              Setting.common(TOPIC, Range.text("a topic's name")),
              Setting.of(GUARANTEE, Range.oneOf(Guarantee.class))));

  private DeadLetterOptions() {}
}
