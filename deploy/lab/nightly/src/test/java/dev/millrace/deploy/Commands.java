package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/** Runs commands of this machine to their end. */
final class Commands {

  private Commands() {}

  /** Returns what a command that succeeds has printed, without what it has said of errors. */
  static String output(List<String> command) throws IOException {
    Ended ended = run(command);
    if (ended.status() != 0) {
      throw new IOException(
          "%s ends with %s: %s".formatted(String.join(" ", command), ended.status(), ended.said()));
    }
    return ended.said().strip();
  }

  /** Runs a command, and returns how it has ended. */
  static Ended run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    // Its output has ended, and so has it.
    return new Ended(process.onExit().join().exitValue(), said);
  }

  /**
   * How a command has ended.
   *
   * @param said errors included
   */
  record Ended(int status, String said) {}
}
