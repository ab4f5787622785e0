package dev.millrace.cli.console;

import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.job.setup.OptionText;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** Options as a table for a terminal. */
public final class OptionTable {

  private static final int USUAL_COLUMNS = 100;
  private static final int LEAST_COLUMNS = 80;
  private static final int KEY = 41;

  private OptionTable() {}

  /** Keys with their meaning, values and default. */
  public static String of(List<Setting<?>> settings) {
    int columns = columns();
    ColorScheme plain = Help.defaultColorScheme(Ansi.OFF);
    TextTable table =
        TextTable.forColumns(
            plain,
            new Column(KEY, 2, Column.Overflow.SPAN),
            new Column(columns - KEY, 2, Column.Overflow.WRAP));
    for (Setting<?> setting : settings) {
      table.addRowValues(setting.key(), setting.description());
      table.addRowValues("", values(setting));
    }
    return table.toString();
  }

  /** The common ones by their keys and meanings alone, for a command's help. */
  public static String common() {
    TextTable table =
        TextTable.forColumns(
            Help.defaultColorScheme(Ansi.OFF),
            new Column(KEY, 2, Column.Overflow.SPAN),
            new Column(columns() - KEY, 2, Column.Overflow.WRAP));
    MillraceOptions.settings()
        .filter(Setting::isCommon)
        .forEach(setting -> table.addRowValues("--" + setting.key(), setting.description()));
    return table.toString();
  }

  private static String values(Setting<?> setting) {
    String standard = OptionText.defaultOf(setting);
    return "%s: %s"
        .formatted(
            standard.isEmpty() ? "No default" : "Default " + standard, setting.range().text());
  }

  private static int columns() {
    int terminal = Integer.getInteger(Screen.COLUMNS_PROPERTY, 0);
    return terminal > 0 ? Math.max(LEAST_COLUMNS, terminal - 1) : USUAL_COLUMNS;
  }
}
