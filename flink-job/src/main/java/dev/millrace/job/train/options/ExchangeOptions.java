package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
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
    /** The mean without the extremes. */
    TRIMMED_MEAN,
    /** The median of each value. */
    MEDIAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Where contributions are combined first. */
  public enum FirstLevel {
    /** Nowhere: each goes to the blocks. */
    OFF,
    /** Contributions of one process are combined first in that process. */
    PROCESS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
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
              "Exchange options under a name; given ones win. See docs/internals/exchange.md.");

  public static final ConfigOption<String> SCHEDULE =
      ConfigOptions.key("exchange.schedule")
          .stringType()
          .defaultValue("sync")
          .withDescription("sync: replicas wait for a round. overlap: they train meanwhile.");

  public static final ConfigOption<Integer> LOCAL_STEPS =
      ConfigOptions.key("exchange.local-steps")
          .intType()
          .defaultValue(3)
          .withDescription("Local steps between two contributions; DL4J's averagingFrequency.");

  public static final ConfigOption<Integer> DELAY =
      ConfigOptions.key("exchange.delay")
          .intType()
          .defaultValue(0)
          .withDescription(
              "Under sync: local steps while a round is made, fewer than exchange.local-steps.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("exchange.interval")
          .durationType()
          .noDefaultValue()
          .withDescription("Time between two contributions, in place of exchange.local-steps.");

  public static final ConfigOption<Double> OVERHEAD =
      ConfigOptions.key("exchange.overhead")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Largest share of time for the exchange. Local steps adapt, up to"
                  + " exchange.local-steps.");

  public static final ConfigOption<Integer> FRAGMENTS =
      ConfigOptions.key("exchange.fragments")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Parts of the model that take turns. Above 1 needs exchange.average-updater:"
                  + " false.");

  /** How the learning rate follows a replica's share of batch.size. */
  public enum Scaling {
    /** Learning rates follow as the updater suggests. */
    AUTO,
    /** Learning rates don't follow. */
    NONE,
    /** Learning rates follow in proportion. */
    LINEAR,
    /** Learning rates follow with the square root. */
    SQUARE_ROOT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<Scaling> LEARNING_RATE_SCALING =
      ConfigOptions.key("exchange.learning-rate-scaling")
          .enumType(Scaling.class)
          .defaultValue(Scaling.AUTO)
          .withDescription(
              "How learning rates follow a replica's share of batch.size. auto: by updater.");

  public static final ConfigOption<Long> LEARNING_RATE_WARM_UP =
      ConfigOptions.key("exchange.learning-rate-warm-up")
          .longType()
          .noDefaultValue()
          .withDescription("Examples in which the scaled learning rate rises.");

  public static final ConfigOption<Integer> WARM_UP =
      ConfigOptions.key("exchange.warm-up")
          .intType()
          .noDefaultValue()
          .withDescription("First rounds that contribute the whole model after every step.");

  public static final ConfigOption<Double> STRAGGLER_WAIT =
      ConfigOptions.key("exchange.straggler-wait")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Patience with stragglers, as a multiple of the faster half's time. Absent:"
                  + " exchange.round-timeout.");

  public static final ConfigOption<Duration> ROUND_TIMEOUT =
      ConfigOptions.key("exchange.round-timeout")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription("A round closes this long after its first contribution.");

  public static final ConfigOption<Boolean> AVERAGE_UPDATER =
      ConfigOptions.key("exchange.average-updater")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether the updater's state is averaged, too.");

  public static final ConfigOption<MemorySize> BLOCK_SIZE =
      ConfigOptions.key("exchange.block-size")
          .memoryType()
          .defaultValue(MemorySize.parse("64kb"))
          .withDescription("Size of the blocks in which models are exchanged.");

  public static final ConfigOption<String> AGGREGATOR =
      ConfigOptions.key("exchange.aggregator")
          .stringType()
          .defaultValue("mean")
          .withDescription(
              "How contributions are combined. sum: for shared gradients. trimmed-mean,"
                  + " median: against faulty replicas.");

  public static final ConfigOption<Double> TRIM =
      ConfigOptions.key("exchange.trim")
          .doubleType()
          .defaultValue(0.25)
          .withDescription("Share that trimmed-mean leaves out at either end.");

  public static final ConfigOption<FirstLevel> COMBINE =
      ConfigOptions.key("exchange.combine")
          .enumType(FirstLevel.class)
          .defaultValue(FirstLevel.OFF)
          .withDescription("process: replicas of one process combine their contributions first.");

  public static final ConfigOption<String> SERVER_OPTIMIZER =
      ConfigOptions.key("exchange.server-optimizer")
          .stringType()
          .defaultValue("none")
          .withDescription("What applies a round's change to the global model.");

  public static final ConfigOption<Double> SERVER_LEARNING_RATE =
      ConfigOptions.key("exchange.server-learning-rate")
          .doubleType()
          .defaultValue(1.0)
          .withDescription("Factor of that change; for adam a step's size, such as 0.001.");

  public static final ConfigOption<Double> SERVER_MOMENTUM =
      ConfigOptions.key("exchange.server-momentum")
          .doubleType()
          .defaultValue(0.9)
          .withDescription("Momentum over rounds.");

  public static final ConfigOption<Long> EMA_HALF_LIFE =
      ConfigOptions.key("exchange.ema.half-life")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Half-life of a moving average to publish, in examples. Absent: no average.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Exchange",
          "When replicas contribute, and how contributions become one model.",
          List.of(
              Setting.common(PRESET, Range.oneOf(Preset.class)),
              Setting.of(SCHEDULE, ExtensionOptions.range(Schedule.class)),
              Setting.of(LOCAL_STEPS, Range.atLeast(1)),
              Setting.experimental(DELAY, Range.atLeast(0)),
              Setting.experimental(INTERVAL, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(OVERHEAD, Range.fraction()),
              Setting.of(FRAGMENTS, Range.atLeast(1)),
              Setting.experimental(WARM_UP, Range.atLeast(1)),
              Setting.of(ROUND_TIMEOUT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(STRAGGLER_WAIT, Range.above(0)),
              Setting.of(LEARNING_RATE_SCALING, Range.oneOf(Scaling.class)),
              Setting.experimental(LEARNING_RATE_WARM_UP, Range.atLeast(1L)),
              Setting.of(AVERAGE_UPDATER, Range.trueOrFalse()),
              Setting.experimental(
                  BLOCK_SIZE, Range.between(MemorySize.parse("1kb"), MemorySize.parse("4mb"))),
              Setting.of(AGGREGATOR, ExtensionOptions.range(Combination.class)),
              Setting.experimental(TRIM, Range.between(0, 0.5)),
              Setting.of(COMBINE, Range.oneOf(FirstLevel.class)),
              Setting.of(SERVER_OPTIMIZER, ExtensionOptions.range(Optimizer.class)),
              Setting.of(SERVER_LEARNING_RATE, Range.above(0)),
              Setting.of(SERVER_MOMENTUM, Range.between(0, 1)),
              Setting.of(EMA_HALF_LIFE, Range.atLeast(1L))));

  private ExchangeOptions() {}
}
