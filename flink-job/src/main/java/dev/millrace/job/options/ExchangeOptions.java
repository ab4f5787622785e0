package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** How replicas agree. */
public final class ExchangeOptions {

  /** What a replica does while a round is under way. */
  public enum Schedule {
    /** Waits for the round's global model. */
    SYNC,
    /** Goes on training. */
    OVERLAP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Schedule> SCHEDULE =
      ConfigOptions.key("exchange.schedule")
          .enumType(Schedule.class)
          .defaultValue(Schedule.SYNC)
          .withDescription(
              "Whether a replica waits for the round it contributed to (sync), or trains on and"
                  + " takes the global model in when it comes (overlap).");

  public static final ConfigOption<Integer> FREQUENCY =
      ConfigOptions.key("exchange.frequency")
          .intType()
          .defaultValue(3)
          .withDescription("Local steps of a replica between its contributions.");

  public static final ConfigOption<Integer> WARM_UP =
      ConfigOptions.key("exchange.warm-up")
          .intType()
          .defaultValue(0)
          .withDescription("First rounds in which replicas contribute after every local step.");

  public static final ConfigOption<Duration> ROUND_TIMEOUT =
      ConfigOptions.key("exchange.round-timeout")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "Time after a round's first contribution at which it closes without the replicas"
                  + " that have sent none.");

  public static final ConfigOption<Boolean> AVERAGE_UPDATER =
      ConfigOptions.key("exchange.average-updater")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether the updater's state (moments, velocities) is averaged like the parameters,"
                  + " or stays each replica's own.");

  public static final ConfigOption<MemorySize> BLOCK_SIZE =
      ConfigOptions.key("exchange.block-size")
          .memoryType()
          .defaultValue(MemorySize.parse("512kb"))
          .withDescription("Size of the parameter blocks that models are exchanged in.");

  public static final ConfigOption<Integer> PARALLELISM =
      ConfigOptions.key("exchange.parallelism")
          .intType()
          .defaultValue(0)
          .withDescription("Subtasks that combine blocks; 0 for as many as replicas.");

  public static final ConfigOption<String> CODEC =
      ConfigOptions.key("exchange.codec")
          .stringType()
          .defaultValue("float32")
          .withDescription("How contributions are encoded on their way.");

  public static final ConfigOption<String> AGGREGATOR =
      ConfigOptions.key("exchange.aggregator")
          .stringType()
          .defaultValue("mean")
          .withDescription("How contributions are combined: mean weighs them by their examples.");

  public static final ConfigOption<String> SERVER_OPTIMIZER =
      ConfigOptions.key("exchange.server-optimizer")
          .stringType()
          .defaultValue("none")
          .withDescription("What the combined change passes before it moves the global model.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Exchange",
          "How what the replicas learn becomes one global model.",
          List.of(
              Setting.of(SCHEDULE, Range.oneOf(Schedule.class)),
              Setting.of(FREQUENCY, Range.atLeast(1)),
              Setting.of(WARM_UP, Range.atLeast(0)),
              Setting.of(ROUND_TIMEOUT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(AVERAGE_UPDATER, Range.trueOrFalse()),
              Setting.of(
                  BLOCK_SIZE, Range.between(MemorySize.parse("1kb"), MemorySize.parse("4mb"))),
              Setting.of(PARALLELISM, Range.atLeast(0)),
              Setting.of(CODEC, Range.oneOf("float32")),
              Setting.of(AGGREGATOR, Range.oneOf("mean")),
              Setting.of(SERVER_OPTIMIZER, Range.oneOf("none"))));

  private ExchangeOptions() {}
}
