package dev.millrace.job.setup;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reference page of options, in Markdown. Which options there are it is told. */
final class OptionsPage {

  private static final String HEAD =
      """
      # Options

      Options stand in a YAML file (`--config FILE`), nested or dotted, and on the command line as
      `--key value`, which wins. `millrace options WORD` lists those whose key or meaning has a word.
      Keys that start with `flink.` configure Flink itself where Millrace starts the cluster, without
      the prefix.

      All options are checked before a job is submitted; `millrace check` does nothing else. A wrong
      one is named with its key, its value and its range. An option that can't act is not ignored:

      - It is **refused** where the job's other options rule it out, such as `model.learning-rate`
        beside `model.configuration`, or `exchange.trim` without `exchange.aggregator: trimmed-mean`. What a
        preset adds doesn't count as given.
      - It is **warned of** where another command that reads the same file may use it, such as
        `input.csv.separator` beside another format, `snapshot.interval` without a directory, or
        `flink.*` under `flink run`. A job that only scores ignores options for training.

      An empty default means that the option is absent; its meaning says what holds then.

      This page is made from the code: `mvn test -pl flink-job -am -Dtest=OptionsPageTest
      -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.remake=true`.

      ## Common

      What most jobs set.

      """;

  private static final String TABLE =
      """
      | option | default | values | meaning |
      | --- | --- | --- | --- |
      """;

  private OptionsPage() {}

  /**
   * The page as {@code docs/reference/options.md} holds it: common options first, the others by
   * group.
   */
  static String markdown(List<OptionGroup> groups) {
    return HEAD
        + TABLE
        + rows(
            groups.stream().flatMap(group -> group.settings().stream()).filter(Setting::isCommon))
        + "\n## Advanced\n"
        + groups.stream().map(OptionsPage::section).collect(Collectors.joining());
  }

  private static String section(OptionGroup group) {
    String rows = rows(group.settings().stream().filter(setting -> !setting.isCommon()));
    return "\n### %s\n\n%s\n%s"
        .formatted(group.title(), group.meaning(), rows.isEmpty() ? "" : "\n" + TABLE + rows);
  }

  private static String rows(Stream<Setting<?>> settings) {
    return settings.map(OptionsPage::row).collect(Collectors.joining());
  }

  private static String row(Setting<?> setting) {
    String standard = OptionText.defaultOf(setting);
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            setting.key(),
            standard.isEmpty() ? "" : "`" + standard + "`",
            cell(setting.range().text()),
            cell(setting.description()));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
