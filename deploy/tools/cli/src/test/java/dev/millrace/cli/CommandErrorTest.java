package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.console.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** An error that a file has made ends a command as any other failure does. */
class CommandErrorTest {

  @Command(name = "failing")
  private static final class Failing implements Callable<Integer> {

    @Override
    public Integer call() {
      throw new StackOverflowError();
    }
  }

  @Test
  void itIsToldInASentence() {
    StringWriter err = new StringWriter();
    CommandLine command = MillraceCli.commandLine(new Failing());
    command.setErr(new PrintWriter(err, true));

    assertThat(command.execute()).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString())
        .contains("What was read can't be used: it is nested too deeply")
        .doesNotContain("StackOverflowError");
  }
}
