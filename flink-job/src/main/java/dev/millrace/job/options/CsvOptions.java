package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How the lines of the format {@code csv} are laid out. */
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
          .withDescription("Whether the label, or all labels, are the last columns or the first.");

  public static final ConfigOption<String> SEPARATOR =
      ConfigOptions.key("input.csv.separator")
          .stringType()
          .defaultValue(",")
          .withDescription("What stands between columns; \\t for a tab.");

  public static final ConfigOption<List<String>> CLASSES =
      ConfigOptions.key("input.csv.classes")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Names of the classes as the label column has them, in the order of their numbers."
                  + " Without it labels are the numbers themselves.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "CSV",
          "How lines are laid out where `input.format` is `csv`.",
          List.of(
              Setting.of(LABEL, Range.oneOf(LabelPosition.class)),
              Setting.of(
                  SEPARATOR,
                  Range.text(
                      "one character or \\t", value -> value.length() == 1 || value.equals("\\t"))),
              Setting.of(CLASSES, Range.listOf(Range.text("a class's name")))));

  private CsvOptions() {}

  /** The separator as a character, with {@code \t} read as a tab. */
  public static char separator(String value) {
    return value.equals("\\t") ? '\t' : value.charAt(0);
  }
}
