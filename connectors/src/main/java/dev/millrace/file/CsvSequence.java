package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.model.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A run of rows of a CSV file, read as they are asked for. */
final class CsvSequence implements ExampleSequence {

  private final CsvTable table;
  private final ExampleShape shape;
  private final Map<String, Integer> classes = new HashMap<>();
  private final long count;
  private long read;

  private CsvSequence(CsvTable table, ExampleShape shape, List<String> names, long count) {
    this.table = table;
    this.shape = shape;
    this.count = count;
    for (String name : names) {
      classes.put(name, classes.size());
    }
  }

  /** The rows from the first on, as many as count. */
  static CsvSequence open(Path file, ExampleShape shape, List<String> names, long first, long count)
      throws IOException {
    CsvTable table = CsvTable.open(file);
    try {
      for (long row = 0; row < first && count > 0; row++) {
        table.next();
      }
      return new CsvSequence(table, shape, names, count);
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
    if (!table.next()) {
      throw new IOException(
          "%s ends after %d of %d rows: it was changed while it was read"
              .formatted(table.file(), read, count));
    }
    into.reset();
    table.features(into.features());
    Integer number = classes.get(table.className());
    if (number == null) {
      throw table.invalid(table.features(), "one of the classes " + classes.keySet());
    }
    into.setClass(number);
    read++;
    return true;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
