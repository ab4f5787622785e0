package dev.millrace.cli.console;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest names. */
public final class CliVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = CliVersion.class.getPackage().getImplementationVersion();
    return new String[] {"Millrace " + (version == null ? "(not packaged)" : version)};
  }
}
