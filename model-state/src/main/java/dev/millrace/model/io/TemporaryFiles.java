package dev.millrace.model.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes temporary files, for their owner alone, where {@code java.io.tmpdir} says now. Java's own
 * methods keep to what it said when the process began, and a command sets it later.
 */
public final class TemporaryFiles {

  private TemporaryFiles() {}

  /**
   * Makes an empty file.
   *
   * @param suffixOrNull null for {@code .tmp}
   */
  public static Path file(String prefix, String suffixOrNull) throws IOException {
    return Files.createTempFile(place(), prefix, suffixOrNull);
  }

  /** Makes an empty directory. */
  public static Path directory(String prefix) throws IOException {
    return Files.createTempDirectory(place(), prefix);
  }

  private static Path place() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
