package dev.millrace.job.train.options;

import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What keeps a model near an older one, while it learns. */
public final class ForgettingOptions {

  /** Which older model. */
  public enum Anchor {
    /** There is none. */
    NONE,
    /** What the job starts from. */
    INITIAL,
    /** The global model of each so many examples. */
    PERIODIC,
    /** The global model when a drift is found. */
    DRIFT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How parameters are weighed. */
  public enum Importance {
    /** All alike. */
    NONE,
    /** By the squares of their gradients. */
    FISHER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Anchor> ANCHOR =
      ConfigOptions.key("forgetting.anchor")
          .enumType(Anchor.class)
          .defaultValue(Anchor.NONE)
          .withDescription(
              "Older model that parameters go back towards after each local step. initial: the one"
                  + " that the job starts from; periodic: the global model of each forgetting.every"
                  + " examples; drift: that of the round with a drift. none: they never do.");

  public static final ConfigOption<Long> EVERY =
      ConfigOptions.key("forgetting.every")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Examples of the whole job after which the global model takes the place of the older"
                  + " one.");

  public static final ConfigOption<Double> STRENGTH =
      ConfigOptions.key("forgetting.strength")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription(
              "Share of the distance to the older model that a parameter goes back after each local"
                  + " step; by importance, the mean of the shares. It doesn't follow the learning"
                  + " rate.");

  public static final ConfigOption<Importance> IMPORTANCE =
      ConfigOptions.key("forgetting.importance")
          .enumType(Importance.class)
          .defaultValue(Importance.NONE)
          .withDescription(
              "fisher: parameters that matter for what was learned before go back more, by the"
                  + " squares of their gradients (online EWC). none: all go back alike.");

  public static final ConfigOption<Integer> IMPORTANCE_STEPS =
      ConfigOptions.key("forgetting.importance-steps")
          .intType()
          .defaultValue(20)
          .withDescription(
              "Local steps from one measurement of the importance to the next, each of which costs"
                  + " about as much as a step.");

  public static final ConfigOption<Double> IMPORTANCE_DECAY =
      ConfigOptions.key("forgetting.importance-decay")
          .doubleType()
          .defaultValue(0.9)
          .withDescription(
              "Share of the importance known before that is left each time that the older model is"
                  + " replaced.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Forgetting",
          "A model that stays near an older one forgets less of it, and learns less that is new.",
          List.of(
              Setting.of(ANCHOR, Range.oneOf(Anchor.class)),
              Setting.of(EVERY, Range.atLeast(1L)),
              Setting.of(STRENGTH, Range.between(0.0, 1.0)),
              Setting.of(IMPORTANCE, Range.oneOf(Importance.class)),
              Setting.of(IMPORTANCE_STEPS, Range.atLeast(1)),
              Setting.of(IMPORTANCE_DECAY, Range.between(0.0, 1.0))));

  static final List<Dependence> DEPENDENCES =
      Stream.of(
              refused(is(ANCHOR, Anchor.PERIODIC), EVERY),
              refused(is(ANCHOR, Anchor.PERIODIC, Anchor.DRIFT), IMPORTANCE),
              refused(is(ANCHOR, Anchor.INITIAL, Anchor.PERIODIC, Anchor.DRIFT), STRENGTH),
              refused(is(IMPORTANCE, Importance.FISHER), IMPORTANCE_STEPS, IMPORTANCE_DECAY))
          .flatMap(List::stream)
          .toList();

  private ForgettingOptions() {}
}
