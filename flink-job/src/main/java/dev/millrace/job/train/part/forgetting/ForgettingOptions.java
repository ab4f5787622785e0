package dev.millrace.job.train.part.forgetting;

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
  public enum Older {
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
    /** Parameters matter by the squares of their gradients. */
    FISHER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Older> OLDER_MODEL =
      ConfigOptions.key("forgetting.older-model")
          .enumType(Older.class)
          .defaultValue(Older.NONE)
          .withDescription(
              "Older model that parameters are pulled back to. See docs/guides/changing-data.md.");

  public static final ConfigOption<Long> EVERY =
      ConfigOptions.key("forgetting.every")
          .longType()
          .noDefaultValue()
          .withDescription("Examples after which a periodic older model is replaced.");

  public static final ConfigOption<Double> STRENGTH =
      ConfigOptions.key("forgetting.strength")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("Share of the way back in each step.");

  public static final ConfigOption<Importance> IMPORTANCE =
      ConfigOptions.key("forgetting.importance")
          .enumType(Importance.class)
          .defaultValue(Importance.NONE)
          .withDescription("fisher: important parameters are pulled more (online EWC).");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Forgetting",
          "A model that stays near an older one forgets less.",
          List.of(
              Setting.of(OLDER_MODEL, Range.oneOf(Older.class)),
              Setting.of(EVERY, Range.atLeast(1L)),
              Setting.of(STRENGTH, Range.between(0.0, 1.0)),
              Setting.of(IMPORTANCE, Range.oneOf(Importance.class))));

  static final List<Dependence> DEPENDENCES =
      Stream.of(
              refused(is(OLDER_MODEL, Older.PERIODIC), EVERY),
              refused(is(OLDER_MODEL, Older.PERIODIC, Older.DRIFT), IMPORTANCE),
              refused(is(OLDER_MODEL, Older.INITIAL, Older.PERIODIC, Older.DRIFT), STRENGTH))
          .flatMap(List::stream)
          .toList();

  private ForgettingOptions() {}
}
