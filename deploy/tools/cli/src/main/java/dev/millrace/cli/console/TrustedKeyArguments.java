package dev.millrace.cli.console;

import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says whose published models a command reads. */
public final class TrustedKeyArguments {

  @Option(
      names = "--trusted-key",
      paramLabel = "FILE",
      description =
          "A public key in PEM, or a directory of such: only a published model is read that one of"
              + " them has signed (snapshot.signing-key). May be given several times.")
  private List<Path> files = new ArrayList<>();

  public TrustedKeys keys() throws IOException {
    return TrustedKeys.read(files);
  }
}
