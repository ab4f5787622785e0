package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.ExitCode;
import dev.millrace.cli.console.OptionTable;
import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists options of jobs. */
@Command(
    name = "options",
    header = "Lists the options of jobs, all or those about a word.",
    description = {
      "",
      "Common options stand first. docs/reference/options.md has the same as a page.",
      "  millrace options checkpoint",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:there are such options", "1:there are none", "2:wrong usage"},
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class OptionsCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Parameters(
      arity = "0..1",
      paramLabel = "WORD",
      defaultValue = "",
      description = "Lists only options whose key or description contains it.")
  private String word;

  @Override
  public Integer call() {
    List<Setting<?>> found =
        MillraceOptions.settings()
            .filter(setting -> setting.mentions(word))
            .sorted(Comparator.comparing(setting -> !setting.isCommon()))
            .toList();
    if (found.isEmpty()) {
      command
          .commandLine()
          .getErr()
          .printf("No option contains '%s'; docs/reference/options.md lists them all%n", word);
      return ExitCode.FAILED;
    }
    PrintWriter out = command.commandLine().getOut();
    out.print(OptionTable.of(found));
    out.flush();
    return 0;
  }
}
