package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;

/** A text file whose records are examples, such as JSON lines; see {@link RecordTexts}. */
public final class ExampleLines implements ExampleSequence {

  private final ExampleShape shape;
  private final ExampleFormat format;
  private final RecordTexts records;

  private ExampleLines(ExampleShape shape, ExampleFormat format, RecordTexts records) {
    this.shape = shape;
    this.format = format;
    this.records = records;
  }

  /**
   * Opens a file.
   *
   * @param format of a record, one that writes text
   * @throws IOException if it can't be read
   */
  public static ExampleLines open(Path file, ExampleShape shape, ExampleFormat format)
      throws IOException {
    return new ExampleLines(shape, format, RecordTexts.open(file));
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (!records.next()) {
      return false;
    }
    into.reset();
    try {
      format.read(records.record(), into);
      return true;
    } catch (InvalidExampleException e) {
      throw InvalidRowException.ofRow(records.file(), records.line(), e.getMessage(), e);
    }
  }

  @Override
  public boolean skip(Example scratch) throws IOException {
    return records.next();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
