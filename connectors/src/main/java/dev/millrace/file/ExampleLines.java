package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A text file, UTF-8, plain or compressed with gzip, with one example a line, such as JSON lines.
 * Blank lines are passed over.
 */
public final class ExampleLines implements ExampleSequence {

  private final Path file;
  private final ExampleShape shape;
  private final ExampleFormat format;
  private final BufferedReader reader;
  private long line;

  private ExampleLines(Path file, ExampleShape shape, ExampleFormat format, BufferedReader reader) {
    this.file = file;
    this.shape = shape;
    this.format = format;
    this.reader = reader;
  }

  /**
   * Opens a file.
   *
   * @param format of a line, one that writes text
   * @throws IOException if it can't be read
   */
  public static ExampleLines open(Path file, ExampleShape shape, ExampleFormat format)
      throws IOException {
    return new ExampleLines(file, shape, format, text(file));
  }

  /**
   * The text of such a file, whoever reads it.
   *
   * @throws IOException if it can't be read
   */
  public static BufferedReader text(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("%s: there is no such readable file".formatted(file));
    }
    return FileInput.text(file);
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public boolean next(Example into) throws IOException {
    String text = nextText();
    if (text == null) {
      return false;
    }
    into.reset();
    try {
      format.read(text.getBytes(StandardCharsets.UTF_8), into);
      return true;
    } catch (InvalidExampleException e) {
      throw InvalidRowException.ofRow(file, line, e.getMessage(), e);
    }
  }

  @Override
  public boolean skip(Example scratch) throws IOException {
    return nextText() != null;
  }

  /** Null at the end. */
  private String nextText() throws IOException {
    String text = readLine();
    while (text != null && text.isBlank()) {
      text = readLine();
    }
    return text;
  }

  private String readLine() throws IOException {
    line++;
    try {
      return reader.readLine();
    } catch (CharacterCodingException e) {
      throw new IOException(
          "%s is not UTF-8, at line %s or some lines after it; convert it".formatted(file, line),
          e);
    } catch (IOException e) {
      throw new IOException(
          "Can't read %s after line %s: %s".formatted(file, line - 1, Reason.of(e)), e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
