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

      Options stand in a YAML file (`--config FILE`), nested or dotted, or on the command line as
      `--key value`, which wins. `millrace options WORD` searches them. Keys that start with `flink.`
      configure Flink where Millrace starts the cluster; those with `extension.options.` configure
      [extensions](../guides/in-your-program.md#extensions). All are checked before a job is submitted,
      and by `millrace check`. An option that would have no effect is reported:

      - It is **refused** if other options rule it out, such as `model.learning-rate` beside
        `model.configuration`. What a preset adds doesn't count as given.
      - It is **warned of** if another command that reads the file may use it.

      An *experimental* option may change or go: no figure shows yet what it is good for.

      Editors that know YAML complete keys and mark wrong ones where a file begins with
      `# yaml-language-server: $schema=PATH/docs/reference/options.schema.json`.

      This page is made from the code: `mvn test -pl flink-job -am -Dtest='Options*Test'
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
            cell(Notation.of(setting.range().text())),
            (setting.isExperimental() ? "*Experimental.* " : "") + cell(setting.description()));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
