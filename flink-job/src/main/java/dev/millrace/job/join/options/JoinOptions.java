package dev.millrace.job.join.options;

import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.Range;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** What is joined: two sides, their keys and times. What comes of it is in another class. */
public final class JoinOptions {

  /** What all keys of the join start with. */
  public static final String PREFIX = "join.";

  public static final ConfigOption<List<String>> FEATURES =
      ConfigOptions.key(PREFIX + "features.topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Topics of features. Required.");

  public static final ConfigOption<List<String>> LABELS =
      ConfigOptions.key(PREFIX + "labels.topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Topics of labels. Required.");

  public static final ConfigOption<String> KEY =
      ConfigOptions.key(PREFIX + "key")
          .stringType()
          .noDefaultValue()
          .withDescription("Field with the key. Absent: the record's key.");

  public static final ConfigOption<String> LABELS_KEY =
      ConfigOptions.key(PREFIX + "labels.key")
          .stringType()
          .noDefaultValue()
          .withDescription("The labels' key. Absent: as for features.");

  public static final ConfigOption<String> TIME =
      ConfigOptions.key(PREFIX + "time")
          .stringType()
          .noDefaultValue()
          .withDescription("Field with the time. Absent: the record's timestamp.");

  public static final ConfigOption<String> LABELS_TIME =
      ConfigOptions.key(PREFIX + "labels.time")
          .stringType()
          .noDefaultValue()
          .withDescription("The labels' time. Absent: as for features.");

  public static final ConfigOption<Duration> WITHIN =
      ConfigOptions.key(PREFIX + "within")
          .durationType()
          .noDefaultValue()
          .withDescription("How much later than its features a label may be. Required.");

  public static final ConfigOption<Duration> BEFORE =
      ConfigOptions.key(PREFIX + "before")
          .durationType()
          .defaultValue(Duration.ZERO)
          .withDescription("How much earlier than its features a label may be.");

  public static final ConfigOption<Duration> OUT_OF_ORDER =
      ConfigOptions.key(PREFIX + "out-of-order")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "How far records may be out of order. Every waiting record waits that much"
                  + " longer.");

  static final Range<String> PATH =
      Range.text("a path of a field, such as id or order.items[0].price", JoinPaths::isPath);

  /** The transactions' timeout of the producers that write, where nothing else is given. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  private static final ConfigOption<Long> GIVEN_TIMEOUT =
      ConfigOptions.key(KafkaOptions.PREFIX + "transaction.timeout.ms").longType().noDefaultValue();

  private JoinOptions() {}

  /** Whether options are those of a join. */
  public static boolean areGiven(Configuration options) {
    return options.contains(FEATURES) || options.contains(LABELS);
  }

  /** Returns the time after which brokers abort a transaction that nobody has ended. */
  public static Duration transactionTimeout(Configuration options) {
    return options.getOptional(GIVEN_TIMEOUT).map(Duration::ofMillis).orElse(TRANSACTION_TIMEOUT);
  }
}
