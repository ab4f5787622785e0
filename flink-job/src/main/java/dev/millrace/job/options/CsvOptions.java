package dev.millrace.job.options;

import dev.millrace.example.FormatSettings;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How the lines of the format {@code csv}, and tables in files, are laid out. */
public final class CsvOptions {

  /** The end of the line at which the label stands. */
  public enum LabelPosition {
    LAST,
    FIRST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<LabelPosition> LABEL =
      ConfigOptions.key("input.csv.label")
          .enumType(LabelPosition.class)
          .defaultValue(LabelPosition.LAST)
          .withDescription("Whether the label columns are the last or the first.");

  public static final ConfigOption<String> SEPARATOR =
      ConfigOptions.key("input.csv.separator")
          .stringType()
          .defaultValue(",")
          .withDescription("Character between two columns.");

  public static final ConfigOption<List<String>> COLUMNS =
      ConfigOptions.key("input.csv.columns")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Names of all columns, in order. Absent: paths are places, such as [0].");

  /** Texts that may stand between two columns. */
  public static final Range<String> SEPARATORS =
      Range.text(
          "\\t or one ASCII character that is no letter, digit, sign, point or quote",
          CsvOptions::isSeparator);

  /** Names of columns. */
  public static final Range<List<String>> NAMES = Range.listOf(Range.text("a column's name"));

  public static final OptionGroup GROUP =
      new OptionGroup(
          "CSV",
          "Lines where `input.format` is `csv`, and tables that `csv:FILE` names.",
          List.of(
              Setting.of(LABEL, Range.oneOf(LabelPosition.class)),
              Setting.of(SEPARATOR, SEPARATORS),
              Setting.of(COLUMNS, NAMES)));

  private CsvOptions() {}

  /**
   * Returns what the options say of how examples are written, and tables in files.
   *
   * @throws InvalidOptionsException if classes have the same name
   */
  public static FormatSettings settings(Configuration options) {
    List<String> classes = InputOptions.classes(options);
    try {
      return new FormatSettings(
          options.get(LABEL) == LabelPosition.FIRST, character(options.get(SEPARATOR)), classes);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("%s is '%s'. %s".formatted(InputOptions.CLASSES.key(), classes, e.getMessage())));
    }
  }

  private static char character(String separator) {
    return separator.equals("\\t") ? '\t' : separator.charAt(0);
  }

  /**
   * Says whether a character can stand between fields: what is part of a number, or quotes a field,
   * can't. YAML makes a tab of {@code "\t"} in double quotes.
   */
  private static boolean isSeparator(String value) {
    return value.equals("\\t")
        || value.equals("\t")
        || value.matches("[\\p{ASCII}&&[^\\p{Alnum}\\p{Cntrl}+\\-.\"]]");
  }
}
