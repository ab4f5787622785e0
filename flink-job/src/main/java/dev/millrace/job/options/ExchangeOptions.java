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

  /** How the contributions of a round are combined. */
  public enum Combination {
    /** Weighted by examples. */
    MEAN,
    /** Each step counts in full. */
    SUM,
    /** Without the extremes. */
    TRIMMED_MEAN,
    /** Of each value the median. */
    MEDIAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What moves the global model. */
  public enum Optimizer {
    /** The combined change itself. */
    NONE,
    /** Momentum over rounds. */
    NESTEROV,
    /** Adam over rounds. */
    ADAM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Preset> PRESET =
      ConfigOptions.key("exchange.preset")
          .enumType(Preset.class)
          .noDefaultValue()
          .withDescription(
              "A named combination of the options below; what is set itself comes first."
                  + " docs/exchange.md says what each is for.");

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

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("exchange.interval")
          .durationType()
          .defaultValue(Duration.ZERO)
          .withDescription(
              "Time between a replica's contributions, in place of exchange.frequency; 0 for none.");

  public static final ConfigOption<Double> OVERHEAD =
      ConfigOptions.key("exchange.overhead")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "Greatest share of the replicas' time that the exchange may take: the local steps"
                  + " between contributions adapt to it, up to exchange.frequency; 0 for steps that"
                  + " don't adapt.");

  /** What the number of replicas does to the learning rate. */
  public enum Scaling {
    /** Nothing. */
    NONE,
    /** It is multiplied by it. */
    LINEAR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Scaling> LEARNING_RATE_SCALING =
      ConfigOptions.key("exchange.learning-rate-scaling")
          .enumType(Scaling.class)
          .defaultValue(Scaling.NONE)
          .withDescription(
              "Whether the model's learning rate is multiplied by the number of replicas (linear):"
                  + " for a mean over N replicas, which moves the model N times less often.");

  public static final ConfigOption<Integer> WARM_UP =
      ConfigOptions.key("exchange.warm-up")
          .intType()
          .defaultValue(0)
          .withDescription("First rounds in which replicas contribute after every local step.");

  public static final ConfigOption<Double> PATIENCE =
      ConfigOptions.key("exchange.patience")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "How long a round waits for stragglers once half of the replicas have contributed, as"
                  + " a multiple of the time that these took; what comes later joins a later round."
                  + " 0 waits until exchange.round-timeout.");

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
          .defaultValue(MemorySize.parse("64kb"))
          .withDescription("Size of the parameter blocks that models are exchanged in.");

  public static final ConfigOption<Integer> PARALLELISM =
      ConfigOptions.key("exchange.parallelism")
          .intType()
          .defaultValue(0)
          .withDescription("Subtasks that combine blocks; 0 for as many as replicas.");

  public static final ConfigOption<Boolean> DIRECT =
      ConfigOptions.key("exchange.direct")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether replicas and exchange hand models to each other in memory where they share a"
                  + " process, rather than through Flink's network. What is learned is the same.");

  public static final ConfigOption<Combination> AGGREGATOR =
      ConfigOptions.key("exchange.aggregator")
          .enumType(Combination.class)
          .defaultValue(Combination.MEAN)
          .withDescription(
              "How contributions are combined: their mean, weighted by examples; their sum, as where"
                  + " gradients are shared; or a trimmed-mean or median of each value, which bear"
                  + " with poisoned replicas.");

  public static final ConfigOption<Double> TRIM =
      ConfigOptions.key("exchange.trim")
          .doubleType()
          .defaultValue(0.25)
          .withDescription(
              "Share of the contributions that a trimmed-mean leaves out at either end, rounded"
                  + " down.");

  public static final ConfigOption<Optimizer> SERVER_OPTIMIZER =
      ConfigOptions.key("exchange.server-optimizer")
          .enumType(Optimizer.class)
          .defaultValue(Optimizer.NONE)
          .withDescription("What moves the global model by the combined change of a round.");

  public static final ConfigOption<Double> SERVER_LEARNING_RATE =
      ConfigOptions.key("exchange.server-learning-rate")
          .doubleType()
          .defaultValue(1.0)
          .withDescription(
              "What the combined change is multiplied by. With adam it is the size of a step where"
                  + " rounds agree, so of the scale of weights, such as 0.001.");

  public static final ConfigOption<Double> SERVER_MOMENTUM =
      ConfigOptions.key("exchange.server-momentum")
          .doubleType()
          .defaultValue(0.9)
          .withDescription("Momentum over rounds: of nesterov, and adam's first moment.");

  public static final ConfigOption<Double> SERVER_SECOND_MOMENT =
      ConfigOptions.key("exchange.server-second-moment")
          .doubleType()
          .defaultValue(0.99)
          .withDescription("Decay of adam's second moment over rounds.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Exchange",
          "How what the replicas learn becomes one global model: when they contribute, and what"
              + " becomes of it.",
          List.of(
              Setting.of(PRESET, Range.oneOf(Preset.class)),
              Setting.of(SCHEDULE, Range.oneOf(Schedule.class)),
              Setting.of(FREQUENCY, Range.atLeast(1)),
              Setting.of(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(OVERHEAD, Range.between(0, 1)),
              Setting.of(WARM_UP, Range.atLeast(0)),
              Setting.of(ROUND_TIMEOUT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(PATIENCE, Range.atLeast(0.0)),
              Setting.of(LEARNING_RATE_SCALING, Range.oneOf(Scaling.class)),
              Setting.of(AVERAGE_UPDATER, Range.trueOrFalse()),
              Setting.of(
                  BLOCK_SIZE, Range.between(MemorySize.parse("1kb"), MemorySize.parse("4mb"))),
              Setting.of(PARALLELISM, Range.atLeast(0)),
              Setting.of(DIRECT, Range.trueOrFalse()),
              Setting.of(AGGREGATOR, Range.oneOf(Combination.class)),
              Setting.of(TRIM, Range.between(0, 0.5)),
              Setting.of(SERVER_OPTIMIZER, Range.oneOf(Optimizer.class)),
              Setting.of(SERVER_LEARNING_RATE, Range.above(0)),
              Setting.of(SERVER_MOMENTUM, Range.between(0, 1)),
              Setting.of(SERVER_SECOND_MOMENT, Range.between(0, 1))));

  private ExchangeOptions() {}
}
