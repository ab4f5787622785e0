package dev.millrace.job.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where rejected records go. */
public final class DeadLetterOptions {

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("dead-letter.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives rejected records, with origin and reason as headers. Absent: they are"
                  + " only counted.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Dead letters",
          "A rejected record never stops the job.",
          List.of(Setting.common(TOPIC, Range.text("a topic's name"))));

  private DeadLetterOptions() {}
}
