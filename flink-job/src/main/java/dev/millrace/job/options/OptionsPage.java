package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.util.TimeUtils;

/** The reference page of all options, in Markdown. */
public final class OptionsPage {

  private static final String HEAD =
      """
      # Options

      Options stand in a YAML file (`--config FILE`), nested or dotted, and on the command line as
      `--key value`, which wins. All are checked before a job is submitted; a wrong one is named with
      its key, its value and its range. Keys that start with `flink.` go to Flink's own configuration
      where Millrace starts the cluster itself, with the prefix removed.

      This page is made from the code: `mvn test -pl flink-job -am -Dtest=OptionsPageTest
      -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.remake=true`.
      """;

  private OptionsPage() {}

  /** The page as {@code docs/options.md} holds it. */
  public static String markdown() {
    return HEAD
        + MillraceOptions.all().stream().map(OptionsPage::section).collect(Collectors.joining());
  }

  private static String section(OptionGroup group) {
    return """

    ## %s

    %s

    | option | default | values | meaning |
    | --- | --- | --- | --- |
    %s
    """
        .formatted(
            group.title(),
            group.meaning(),
            group.settings().stream().map(OptionsPage::row).collect(Collectors.joining("\n")));
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            setting.key(),
            setting.option().hasDefaultValue()
                ? "`" + written(setting.option().defaultValue()) + "`"
                : "",
            cell(setting.range().text()),
            cell(new HtmlFormatter().format(setting.option().description())));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** A value as an option's text has it. */
  static String written(Object value) {
    if (value instanceof Duration duration) {
      return TimeUtils.formatWithHighestUnit(duration);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(OptionsPage::written).collect(Collectors.joining(";"));
    }
    return value.toString();
  }
}
