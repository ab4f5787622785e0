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
          .withDescription("Topics of features, JSON objects. Required for a join.");

  public static final ConfigOption<List<String>> LABELS =
      ConfigOptions.key(PREFIX + "labels.topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Topics of labels, JSON objects. Required for a join.");

  public static final ConfigOption<String> KEY =
      ConfigOptions.key(PREFIX + "key")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where the key stands in a record's value: a text or a whole number. Absent: the"
                  + " record's own key.");

  public static final ConfigOption<String> LABELS_KEY =
      ConfigOptions.key(PREFIX + "labels.key")
          .stringType()
          .noDefaultValue()
          .withDescription("The same of labels. Absent: as of features.");

  public static final ConfigOption<String> TIME =
      ConfigOptions.key(PREFIX + "time")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where an event's time stands in a record's value: milliseconds since 1970, or"
                  + " ISO-8601 with an offset. Absent: the record's timestamp.");

  public static final ConfigOption<String> LABELS_TIME =
      ConfigOptions.key(PREFIX + "labels.time")
          .stringType()
          .noDefaultValue()
          .withDescription("The same of labels. Absent: as of features.");

  public static final ConfigOption<Duration> AHEAD =
      ConfigOptions.key(PREFIX + "ahead")
          .durationType()
          .defaultValue(Duration.ofHours(1))
          .withDescription(
              "How much later than the reader's clock a record's time may be, and a time in a value"
                  + " than its record's timestamp. A record with a later one is rejected: it would end"
                  + " the wait for all others.");

  public static final ConfigOption<Duration> WITHIN =
      ConfigOptions.key(PREFIX + "within")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "How much later than its features a label's time may be. Features wait so long, and"
                  + " the state holds what came in about twice that time. Required for a join.");

  public static final ConfigOption<Duration> BEFORE =
      ConfigOptions.key(PREFIX + "before")
          .durationType()
          .defaultValue(Duration.ZERO)
          .withDescription(
              "How much earlier than its features a label's time may be, for clocks that differ.");

  public static final ConfigOption<Duration> OUT_OF_ORDER =
      ConfigOptions.key(PREFIX + "out-of-order")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "How far a partition's records may be from the order of their times. Whoever waits"
                  + " waits so much longer.");

  public static final ConfigOption<Duration> IDLE_AFTER =
      ConfigOptions.key(PREFIX + "idle-after")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "A partition without a record for so long holds nobody back. What it gets later may"
                  + " come too late. 0: all wait for it.");

  public static final ConfigOption<String> START =
      ConfigOptions.key(PREFIX + "start")
          .stringType()
          .defaultValue("earliest")
          .withDescription(
              "Where a join without state begins, as input.start. Its consumer groups are"
                  + " kafka.group.id with -join-features and -join-labels behind it.");

  public static final ConfigOption<Boolean> BOUNDED =
      ConfigOptions.key(PREFIX + "bounded")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "true ends the join at the offsets that are the latest when the job starts; what"
                  + " waits then goes without its other side. false reads without end.");

  static final Range<String> PATH =
      Range.text("a path of a field, such as id or order.items[0].price", JoinPaths::isPath);

  /** Of the producers that write, where nothing else is given. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  private static final ConfigOption<Long> GIVEN_TIMEOUT =
      ConfigOptions.key(KafkaOptions.PREFIX + "transaction.timeout.ms").longType().noDefaultValue();

  private JoinOptions() {}

  /** Whether options are those of a join. */
  public static boolean areGiven(Configuration options) {
    return options.contains(FEATURES) || options.contains(LABELS);
  }

  /** After which brokers abort a transaction that nobody has ended. */
  public static Duration transactionTimeout(Configuration options) {
    return options.getOptional(GIVEN_TIMEOUT).map(Duration::ofMillis).orElse(TRANSACTION_TIMEOUT);
  }
}
