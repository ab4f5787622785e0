package dev.millrace.snapshot;

import dev.millrace.model.io.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Pointers and descriptions as texts, of which no more is read than one may have. */
public final class BoundedText {

  private BoundedText() {}

  /**
   * Reads a text to its end.
   *
   * @throws IOException if it is longer than a description may be, or can't be read
   */
  public static String read(InputStream in) throws IOException {
    byte[] text = in.readNBytes(StrictJson.MOST_DESCRIPTION_BYTES);
    if (in.read() >= 0) {
      throw new IOException(
          "it is longer than the %s bytes of the longest description"
              .formatted(StrictJson.MOST_DESCRIPTION_BYTES));
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it is longer than a description may be, or can't be read
   */
  public static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in);
    }
  }

  /** Whether a file is a description of ours; others may have one of its name for anything else. */
  public static boolean isDescription(Path file) throws IOException {
    return Files.isRegularFile(file)
        && Files.isReadable(file)
        && Files.size(file) <= StrictJson.MOST_DESCRIPTION_BYTES
        && read(file).contains("\"millrace\"");
  }
}
