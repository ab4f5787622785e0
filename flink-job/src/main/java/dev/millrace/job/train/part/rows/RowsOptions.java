package dev.millrace.job.train.part.rows;

import dev.millrace.exchange.rows.Adagrad;
import dev.millrace.exchange.rows.Ftrl;
import dev.millrace.exchange.rows.LazyAdam;
import dev.millrace.exchange.rows.RowUpdater;
import dev.millrace.exchange.rows.RowwiseAdagrad;
import dev.millrace.exchange.rows.Sgd;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How the rows of embedding tables learn, and how many are at hand. */
public final class RowsOptions {

  /** The rules by which rows learn. */
  public enum Updater {
    ADAGRAD_ROWWISE,
    ADAGRAD,
    ADAM,
    FTRL,
    SGD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<Updater> UPDATER =
      ConfigOptions.key("rows.updater")
          .enumType(Updater.class)
          .defaultValue(Updater.ADAGRAD_ROWWISE)
          .withDescription(
              "How rows learn. adagrad-rowwise keeps one number a row beside its values.");

  public static final ConfigOption<Double> LEARNING_RATE =
      ConfigOptions.key("rows.learning-rate")
          .doubleType()
          .defaultValue(0.05)
          .withDescription("Learning rate of rows.");

  public static final ConfigOption<Integer> ADMIT_AFTER =
      ConfigOptions.key("rows.admit-after")
          .intType()
          .defaultValue(1)
          .withDescription("Uses of an id until it has a row of its own.");

  public static final ConfigOption<Integer> PREFETCH =
      ConfigOptions.key("rows.prefetch")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Minibatches whose rows are fetched ahead. 0: none, and one replica repeats bit for bit.");

  public static final ConfigOption<Integer> CACHE =
      ConfigOptions.key("rows.cache")
          .intType()
          .defaultValue(100_000)
          .withDescription("Rows of each table that each replica's process has on the heap.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Rows",
          "Embedding tables have a row for each id of fields of the kinds id and ids.",
          List.of(
              Setting.experimental(UPDATER, Range.oneOf(Updater.class)),
              Setting.experimental(LEARNING_RATE, Range.above(0.0)),
              Setting.experimental(ADMIT_AFTER, Range.atLeast(1)),
              Setting.experimental(PREFETCH, Range.atLeast(0)),
              Setting.experimental(CACHE, Range.atLeast(1))));

  private RowsOptions() {}

  static RowUpdater updater(Configuration options) {
    float rate = options.get(LEARNING_RATE).floatValue();
    return switch (options.get(UPDATER)) {
      case ADAGRAD_ROWWISE -> new RowwiseAdagrad(rate, 0);
      case ADAGRAD -> new Adagrad(rate, 0);
      case ADAM -> new LazyAdam(rate, 0, 0.9f, 0.999f);
      case FTRL -> new Ftrl(rate, 1, 0, 0);
      case SGD -> new Sgd(rate, 0);
    };
  }
}
