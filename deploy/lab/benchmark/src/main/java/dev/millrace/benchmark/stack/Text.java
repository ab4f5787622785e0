package dev.millrace.benchmark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Small files as text. */
final class Text {

  private static final int TAIL = 25;

  private Text() {}

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines. */
  static String tail(Path file) {
    List<String> lines = read(file).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }
}
