package dev.millrace.cli.console;

/** Exit codes of commands, beside 0 and those of signals. */
public final class ExitCode {

  /** The run failed. */
  public static final int FAILED = 1;

  /** Arguments or options are wrong. */
  public static final int WRONG_USAGE = 2;

  private ExitCode() {}
}
