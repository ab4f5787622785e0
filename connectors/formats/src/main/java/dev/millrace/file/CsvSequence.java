package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;

/** A run of rows of a CSV file, read as they are asked for. */
final class CsvSequence implements ExampleSequence {

  private final CsvTable table;
  private final ExampleShape shape;
  private final RowLabels labels;
  private final long count;
  private long read;

  private CsvSequence(CsvTable table, ExampleShape shape, RowLabels labels, long count) {
    this.table = table;
    this.shape = shape;
    this.labels = labels;
    this.count = count;
  }

  /** The rows from the first on, as many as count. */
  static CsvSequence open(
      Path file,
      ExampleShape shape,
      FormatSettings layout,
      RowLabels labels,
      long first,
      long count)
      throws IOException {
    CsvTable table =
        CsvTable.open(file, shape.target() == Target.CLASSIFICATION ? 1 : shape.outputs(), layout);
    try {
      for (long row = 0; row < first && count > 0; row++) {
        table.skip();
      }
      return new CsvSequence(table, shape, labels, count);
    } catch (IOException e) {
      table.close();
      throw e;
    }
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (read == count) {
      return false;
    }
    // Counted first: a row that is no example is passed by, too.
    read++;
    require(table.next());
    into.reset();
    table.features(into.features());
    labels.read(table, into);
    return true;
  }

  @Override
  public boolean skip(Example scratch) throws IOException {
    if (read == count) {
      return false;
    }
    read++;
    require(table.skip());
    return true;
  }

  private void require(boolean there) throws IOException {
    if (!there) {
      throw new IOException(
          "%s ends after %s of %s rows: it was changed while it was read"
              .formatted(table.file(), read - 1, count));
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
