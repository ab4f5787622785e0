package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** Lines of a text file, plain or compressed with gzip, as records; blank ones are passed over. */
public final class LineRecords implements RecordSequence {

  private final Path file;
  private final BufferedReader reader;
  private String line;
  private long number;

  private LineRecords(Path file, BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it can't be read
   */
  public static LineRecords open(Path file) throws IOException {
    return new LineRecords(file, ExampleLines.text(file));
  }

  @Override
  public boolean next() throws IOException {
    try {
      do {
        line = reader.readLine();
        number++;
      } while (line != null && line.isBlank());
      return line != null;
    } catch (IOException e) {
      throw new IOException(
          "Can't read %s after line %s: %s".formatted(file, number, Reason.of(e)), e);
    }
  }

  @Override
  public boolean skip() throws IOException {
    return next();
  }

  @Override
  public byte[] key() {
    return null;
  }

  @Override
  public byte[] value() {
    return line.getBytes(UTF_8);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
