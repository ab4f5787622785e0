package dev.millrace.cli.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Numbers that count something. */
public final class PositiveNumber {

  private PositiveNumber() {}

  /**
   * Does nothing where the value is at least 1.
   *
   * @throws ParameterException naming the option and its value
   */
  public static void require(CommandSpec command, String option, long value) {
    if (value < 1) {
      throw new ParameterException(
          command.commandLine(),
          "%s is '%s'; it must be a whole number of at least 1".formatted(option, value));
    }
  }
}
