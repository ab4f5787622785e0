package dev.millrace.cli;

import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes what shells complete: commands, their options and those of jobs. The build runs it. */
public final class Completion {

  private Completion() {}

  /**
   * Writes a script that bash and zsh source.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, script());
  }

  static String script() {
    CommandLine millrace = MillraceCli.commandLine();
    millrace.getSubcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(command -> !command.unmatchedArgsBindings().isEmpty())
        .forEach(Completion::addJobOptions);
    return bash(millrace);
  }

  /**
   * Its variables have numbers in their names, which picocli writes as the user's language does.
   */
  private static String bash(CommandLine millrace) {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    try {
      return AutoComplete.bash("millrace", millrace);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  private static void addJobOptions(CommandSpec command) {
    MillraceOptions.settings().forEach(setting -> command.addOption(option(setting)));
  }

  private static OptionSpec option(Setting<?> setting) {
    Range<?> range = setting.range();
    OptionSpec.Builder option =
        OptionSpec.builder("--" + setting.key())
            .type(String.class)
            .arity("1")
            // The script keeps an option's words under its label.
            .paramLabel(setting.key().replaceAll("[.-]", "_"));
    return range.choices().isEmpty()
        ? option.build()
        : option.completionCandidates(range.choices()).build();
  }
}
