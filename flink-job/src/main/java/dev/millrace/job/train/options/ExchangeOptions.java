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
    /** Without the extremes. */
    TRIMMED_MEAN,
    /** Of each value the median. */
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
    /** Those of one process in that process. */
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
              "A named combination of the exchange options. Options that are given themselves"
                  + " win over it. exchange.md describes each preset. Absent: the defaults below.");

  public static final ConfigOption<String> SCHEDULE =
      ConfigOptions.key("exchange.schedule")
          .stringType()
          .defaultValue("sync")
          .withDescription(
              "sync: a replica waits for the round that it contributed to. overlap: it keeps"
                  + " training, and takes the global model when it comes.");

  public static final ConfigOption<Integer> LOCAL_STEPS =
      ConfigOptions.key("exchange.local-steps")
          .intType()
          .defaultValue(3)
          .withDescription(
              "Local steps of a replica between two contributions. DL4J calls it"
                  + " averagingFrequency.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("exchange.interval")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "Time between two contributions of a replica. Absent: exchange.local-steps"
                  + " counts instead.");

  public static final ConfigOption<Double> OVERHEAD =
      ConfigOptions.key("exchange.overhead")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Largest share of the replicas' time that the exchange may take. The number of"
                  + " local steps adapts to it, up to exchange.local-steps. Absent: it doesn't"
                  + " adapt.");

  public static final ConfigOption<Integer> FRAGMENTS =
      ConfigOptions.key("exchange.fragments")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Parts of the model that take turns, one a round, so that a round moves fewer bytes."
                  + " exchange.local-steps and exchange.interval count between two turns of a part."
                  + " Above 1 exchange.average-updater must be false.");

  /** How the learning rate follows a replica's share of batch.size. */
  public enum Scaling {
    /** As the updater suggests. */
    AUTO,
    /** Not at all. */
    NONE,
    /** In proportion. */
    LINEAR,
    /** With the square root. */
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
              "How the learning rate follows a replica's share of batch.size: linear, as its"
                  + " square-root, or not at all (none). auto: linear under sgd and nesterovs, else"
                  + " square-root. Where changes are averaged, it is multiplied by the number of"
                  + " replicas.");

  public static final ConfigOption<Long> LEARNING_RATE_WARM_UP =
      ConfigOptions.key("exchange.learning-rate-warm-up")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Examples of the whole job in which the learning rate rises, linearly, to what"
                  + " exchange.learning-rate-scaling makes of it, where that is more than one"
                  + " network's (sgd, nesterovs: with a larger batch.local-size). Absent: it starts"
                  + " there.");

  public static final ConfigOption<Integer> WARM_UP =
      ConfigOptions.key("exchange.warm-up")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Number of first rounds in which replicas contribute the whole model after every"
                  + " local step. Absent: no such rounds.");

  public static final ConfigOption<Double> STRAGGLER_WAIT =
      ConfigOptions.key("exchange.straggler-wait")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Patience with stragglers: how long a round waits after half of the replicas have"
                  + " contributed, as a multiple of the time that these took. Absent: until"
                  + " exchange.round-timeout; under overlap 1 while a replica stays slow.");

  public static final ConfigOption<Duration> ROUND_TIMEOUT =
      ConfigOptions.key("exchange.round-timeout")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "Time after a round's first contribution at which it closes without the"
                  + " replicas that have sent nothing. Where a replica usually needs more than"
                  + " half of it for its local steps, it is twice what the slowest one needs.");

  public static final ConfigOption<Boolean> AVERAGE_UPDATER =
      ConfigOptions.key("exchange.average-updater")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "true averages the updater's state (moments, velocities) like the parameters."
                  + " false leaves each replica its own.");

  public static final ConfigOption<MemorySize> BLOCK_SIZE =
      ConfigOptions.key("exchange.block-size")
          .memoryType()
          .defaultValue(MemorySize.parse("64kb"))
          .withDescription("Size of the parameter blocks in which models are exchanged.");

  public static final ConfigOption<String> AGGREGATOR =
      ConfigOptions.key("exchange.aggregator")
          .stringType()
          .defaultValue("mean")
          .withDescription(
              "How contributions are combined: their mean, weighted by examples; their sum,"
                  + " for shared gradients; against poisoned replicas a trimmed-mean or median of"
                  + " each value.");

  public static final ConfigOption<Double> TRIM =
      ConfigOptions.key("exchange.trim")
          .doubleType()
          .defaultValue(0.25)
          .withDescription(
              "Share of the contributions that trimmed-mean leaves out at either end; rounded down.");

  public static final ConfigOption<FirstLevel> COMBINE =
      ConfigOptions.key("exchange.combine")
          .enumType(FirstLevel.class)
          .defaultValue(FirstLevel.OFF)
          .withDescription(
              "process combines the contributions of one process's replicas before they leave it;"
                  + " for several replicas in each of several processes. off sends each as soon as"
                  + " it is made. A resumed job can't turn it off.");

  public static final ConfigOption<String> SERVER_OPTIMIZER =
      ConfigOptions.key("exchange.server-optimizer")
          .stringType()
          .defaultValue("none")
          .withDescription(
              "What moves the global model by the combined change of a round. none: the"
                  + " change itself.");

  public static final ConfigOption<Double> SERVER_LEARNING_RATE =
      ConfigOptions.key("exchange.server-learning-rate")
          .doubleType()
          .defaultValue(1.0)
          .withDescription(
              "Factor of the combined change. With adam it is the size of a step on which"
                  + " rounds agree, so about the scale of the weights, such as 0.001.");

  public static final ConfigOption<Double> SERVER_MOMENTUM =
      ConfigOptions.key("exchange.server-momentum")
          .doubleType()
          .defaultValue(0.9)
          .withDescription("Momentum over rounds: of nesterov, and of adam's first moment.");

  public static final ConfigOption<Long> EMA_HALF_LIFE =
      ConfigOptions.key("exchange.ema.half-life")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Half-life of an exponential moving average of the parameters, in examples of the"
                  + " whole job. The average is published and measured (snapshot.parameters); it"
                  + " doesn't change training. Absent: no average.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Exchange",
          "When replicas contribute what they learned, and how contributions become one global"
              + " model.",
          List.of(
              Setting.common(PRESET, Range.oneOf(Preset.class)),
              Setting.of(SCHEDULE, ExtensionOptions.range(Schedule.class)),
              Setting.of(LOCAL_STEPS, Range.atLeast(1)),
              Setting.of(INTERVAL, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(OVERHEAD, Range.fraction()),
              Setting.of(FRAGMENTS, Range.atLeast(1)),
              Setting.of(WARM_UP, Range.atLeast(1)),
              Setting.of(ROUND_TIMEOUT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(STRAGGLER_WAIT, Range.above(0)),
              Setting.of(LEARNING_RATE_SCALING, Range.oneOf(Scaling.class)),
              Setting.of(LEARNING_RATE_WARM_UP, Range.atLeast(1L)),
              Setting.of(AVERAGE_UPDATER, Range.trueOrFalse()),
              Setting.of(
                  BLOCK_SIZE, Range.between(MemorySize.parse("1kb"), MemorySize.parse("4mb"))),
              Setting.of(AGGREGATOR, ExtensionOptions.range(Combination.class)),
              Setting.of(TRIM, Range.between(0, 0.5)),
              Setting.of(COMBINE, Range.oneOf(FirstLevel.class)),
              Setting.of(SERVER_OPTIMIZER, ExtensionOptions.range(Optimizer.class)),
              Setting.of(SERVER_LEARNING_RATE, Range.above(0)),
              Setting.of(SERVER_MOMENTUM, Range.between(0, 1)),
              Setting.of(EMA_HALF_LIFE, Range.atLeast(1L))));

  private ExchangeOptions() {}
}
