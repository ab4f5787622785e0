package dev.millrace.job.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that has a secret. */
public final class SecretFile {

  private SecretFile() {}

  /**
   * Reads its text, without spaces and ends of lines around it.
   *
   * @throws IOException if it can't be read or is empty, naming it and what to do
   */
  public static String read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException(
          "%s can't be read; name a file that this user may read, with the secret in it"
              .formatted(file),
          e);
    }
    if (text.isEmpty()) {
      throw new IOException("%s is empty; write a line of text into it".formatted(file));
    }
    return text;
  }
}
