package dev.millrace.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs commands of Millrace in this process, and keeps what they print. */
public final class CommandRun {

  public final StringWriter out = new StringWriter();
  public final StringWriter err = new StringWriter();

  /** The exit code. */
  public int execute(Object... words) {
    CommandLine command = MillraceCli.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(Stream.of(words).map(Object::toString).toArray(String[]::new));
  }
}
