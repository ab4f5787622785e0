package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What rows of embedding tables are like, and how many are at hand. */
public final class RowsOptions {

  /** The order in which the gradients of several replicas change rows. */
  public enum Order {
    /** Pushes are applied as they come. */
    ARRIVAL,
    /** Pushes of a round are applied at its end, by replica: the same each time. */
    REPLICA;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Integer> PREFETCH =
      ConfigOptions.key("rows.prefetch")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Minibatches whose rows are fetched ahead. 0: none, and one replica repeats bit for"
                  + " bit.");

  public static final ConfigOption<Order> ORDER =
      ConfigOptions.key("rows.order")
          .enumType(Order.class)
          .defaultValue(Order.ARRIVAL)
          .withDescription(
              "replica: gradients of a round change rows at its end, in the order of replicas, so"
                  + " several replicas repeat bit for bit.");

  public static final ConfigOption<Integer> CACHE =
      ConfigOptions.key("rows.cache")
          .intType()
          .defaultValue(100_000)
          .withDescription("Rows of each table that each replica's process has on the heap.");

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("rows.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Compacted topic of rows: training publishes them there, and predictions read them.");

  public static final ConfigOption<String> FILES =
      ConfigOptions.key("rows.files")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Directory of rows, a path or URI that all machines reach: each checkpoint's are"
                  + " published there. Predictions read them without rows.topic. One per job.");

  public static final ConfigOption<Duration> PUBLISH_INTERVAL =
      ConfigOptions.key("rows.publish-interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription("Time after which rows that have changed are published.");

  public static final ConfigOption<String> DIRECTORY =
      ConfigOptions.key("rows.directory")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Directory of a copy of rows for predictions, kept from start to start. Absent: a"
                  + " temporary one.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Rows",
          "Embedding tables have a row for each id of fields of the kinds id and ids.",
          List.of(
              Setting.experimental(
                  TableOptions.TABLES, Range.map("settings such as tables.users.dimension: 16")),
              Setting.experimental(PREFETCH, Range.atLeast(0)),
              Setting.experimental(ORDER, Range.oneOf(Order.class)),
              Setting.experimental(CACHE, Range.atLeast(1)),
              Setting.experimental(TOPIC, Range.text("name of a topic")),
              Setting.experimental(FILES, Range.text("a directory's path or URI")),
              Setting.experimental(PUBLISH_INTERVAL, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.experimental(DIRECTORY, Range.text("a path"))));

  private RowsOptions() {}
}
