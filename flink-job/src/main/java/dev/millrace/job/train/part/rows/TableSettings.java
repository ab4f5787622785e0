package dev.millrace.job.train.part.rows;

import dev.millrace.exchange.rows.Admission;
import dev.millrace.exchange.rows.Expiry;
import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.exchange.rows.RowUpdater;
import dev.millrace.job.options.TableOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/** Makes a table of the texts of its settings. What is wrong is said in a sentence. */
final class TableSettings {

  /** The names of settings. */
  static final List<String> NAMES =
      List.of(
          TableOptions.DIMENSION,
          "updater",
          "learning-rate",
          "l2",
          "spread",
          "admit-after",
          "expire-after",
          "most-rows",
          "most-bytes");

  private static final String EXAMPLES = "examples";

  private final String name;
  private final float learningRate;
  private final Map<String, String> settings;

  private TableSettings(String name, float learningRate, Map<String, String> settings) {
    this.name = name;
    this.learningRate = learningRate;
    this.settings = settings;
  }

  /**
   * Makes a table.
   *
   * @param dimension that its fields have
   * @param learningRate without a setting
   * @throws IllegalArgumentException if a setting is wrong
   */
  static RowTable table(
      String name, int dimension, float learningRate, Map<String, String> settings) {
    return new TableSettings(name, learningRate, settings).table(dimension);
  }

  private RowTable table(int ofFields) {
    int dimension = value(TableOptions.DIMENSION, "a whole number", ofFields, Integer::valueOf);
    if (dimension != ofFields) {
      throw new IllegalArgumentException(
          "%s is %s, and fields of the table have the dimension %s; leave it out at the fields"
              .formatted(key(TableOptions.DIMENSION), dimension, ofFields));
    }
    RowTable plain = RowTable.of(name, dimension);
    RowTable table =
        plain
            .with(updater())
            .with(value("spread", "a number of at least 0", plain.initial(), this::initial))
            .with(
                value(
                    "admit-after",
                    "a whole number of uses from 1 to 255",
                    plain.admission(),
                    text -> Admission.after(Integer.parseInt(text))))
            .with(
                value(
                    "expire-after",
                    "a duration such as 30 d, or a number of examples such as 1000000 examples",
                    plain.expiry(),
                    TableSettings::expiry));
    return table.withAtMost(Math.min(mostRows(), rowsOfMostBytes(table.bytes())));
  }

  private RowUpdater updater() {
    float rate =
        value("learning-rate", "a number above 0", learningRate, text -> number(text, true));
    float l2 = value("l2", "a number of at least 0", 0f, text -> number(text, false));
    return value(
        "updater",
        "one of " + String.join(", ", RowUpdater.NAMES),
        RowUpdater.named(RowUpdater.NAMES.get(0), rate, l2),
        text -> RowUpdater.named(text, rate, l2));
  }

  private static float number(String text, boolean aboveZero) {
    float number = Float.parseFloat(text);
    if (!Float.isFinite(number) || number < 0 || (aboveZero && number == 0)) {
      throw new IllegalArgumentException("Out of its range");
    }
    return number;
  }

  private InitialRow initial(String text) {
    return new InitialRow(
        InitialRow.DEFAULT.shape(), number(text, false), InitialRow.DEFAULT.seed());
  }

  private static Expiry expiry(String text) {
    return text.endsWith(EXAMPLES)
        ? Expiry.afterExamples(
            Long.parseLong(text.substring(0, text.length() - EXAMPLES.length()).strip()))
        : Expiry.afterTime(TimeUtils.parseDuration(text));
  }

  private long mostRows() {
    return value(
        "most-rows",
        "a whole number of at least 1",
        RowTable.UNLIMITED,
        text -> {
          long rows = Long.parseLong(text);
          if (rows < 1) {
            throw new IllegalArgumentException("Below 1");
          }
          return rows;
        });
  }

  private long rowsOfMostBytes(int row) {
    return value(
        "most-bytes",
        "a size such as 4 gb, and a row takes %s bytes".formatted(row),
        RowTable.UNLIMITED,
        text -> {
          long rows = MemorySize.parse(text).getBytes() / row;
          if (rows < 1) {
            throw new IllegalArgumentException("Below a row's");
          }
          return rows;
        });
  }

  private <T> T value(String setting, String range, T standard, Function<String, T> read) {
    String text = settings.get(setting);
    if (text == null) {
      return standard;
    }
    try {
      return read.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s is '%s'; it must be %s".formatted(key(setting), text, range), e);
    }
  }

  private String key(String setting) {
    return "%s.%s.%s".formatted(TableOptions.TABLES.key(), name, setting);
  }
}
