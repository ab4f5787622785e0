package dev.millrace.cli.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where commands that run a job serve its live page. */
public final class PageArguments {

  private static final String OFF = "off";
  private static final int HIGHEST_PORT = 65_535;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--ui.port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Port of the live page, on this machine's loopback; 0 for any that is free, off for no"
              + " page. Default: ${DEFAULT-VALUE}.")
  private String port;

  @Option(names = "--open", description = "Opens the live page in a browser.")
  private boolean open;

  public boolean isOff() {
    return port.equals(OFF);
  }

  public boolean opens() {
    return open;
  }

  /** Says before a job starts what is wrong. */
  public void check() {
    if (!isOff()) {
      port();
    }
  }

  /**
   * The port; 0 for any that is free.
   *
   * @throws ParameterException naming the option and its value
   */
  public int port() {
    try {
      int number = Integer.parseInt(port);
      if (number >= 0 && number <= HIGHEST_PORT) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new ParameterException(
        command.commandLine(),
        "--ui.port is '%s'; it must be a number from 0 to %s, or off"
            .formatted(port, HIGHEST_PORT));
  }
}
