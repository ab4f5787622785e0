package dev.millrace.cli.console;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobCheck;
import dev.millrace.job.submission.Failures;
import java.io.PrintWriter;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Model.CommandSpec;

/** Checks a job before anybody submits it, and shows what it would be. */
public final class PreparedJob {

  private static final int UNCHECKED = 3;

  private PreparedJob() {}

  /**
   * Checks.
   *
   * @param command that shows it
   * @return the exit code
   */
  public static int check(Configuration options, Configuration cluster, CommandSpec command) {
    JobCheck check = JobCheck.of(options, cluster, command.optionsMap().keySet());
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    check.found().forEach(out::println);
    out.flush();
    check.warnings().forEach(warning -> err.println("Warning: " + warning));
    check.unchecked().forEach(what -> err.println("Not checked: " + what));
    check.problems().forEach(problem -> err.println(Failures.explain(problem)));
    err.flush();
    if (check.problems().isEmpty() && check.unchecked().isEmpty()) {
      out.println("OK");
      return 0;
    }
    if (check.problems().isEmpty()) {
      out.println("No problem was found, and not all was checked");
      return UNCHECKED;
    }
    return check.problems().stream().anyMatch(InvalidOptionsException.class::isInstance)
        ? ExitCode.WRONG_USAGE
        : ExitCode.FAILED;
  }
}
