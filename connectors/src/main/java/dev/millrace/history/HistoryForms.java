package dev.millrace.history;

import dev.millrace.file.FieldTable;
import dev.millrace.file.LineRecords;
import dev.millrace.file.TableRecords;
import dev.millrace.kafka.record.ExampleDeserializer;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.core.fs.Path;

/**
 * How records are written in files: rows of tables, and records of JSON in all other files.
 *
 * @param json reads a record of JSON
 * @param rowsOrNull how tables are read; null where records have no named fields
 */
public record HistoryForms(ExampleDeserializer json, Rows rowsOrNull) implements Serializable {

  /**
   * How tables are read.
   *
   * @param layout of a table
   * @param asObjects whether a row becomes an object of JSON; else a line of csv
   * @param deserializer reads what it becomes
   */
  public record Rows(FieldTable layout, boolean asObjects, ExampleDeserializer deserializer)
      implements Serializable {}

  public HistoryForms {
    Objects.requireNonNull(json, "json");
  }

  /** Whether a file is a table, which its name says. */
  public static boolean isTable(Path file) {
    return file.getName().matches("(?i).*\\.[ct]sv(\\.gz)?");
  }

  ExampleDeserializer deserializer(Path file) {
    return isTable(file) ? rowsOrNull.deserializer() : json;
  }

  FileRecords open(Path file, java.nio.file.Path local) throws IOException {
    if (!isTable(file)) {
      LineRecords lines = LineRecords.open(local);
      return new FileRecords(lines, lines::line);
    }
    FieldTable layout = rowsOrNull.layout();
    TableRecords rows =
        rowsOrNull.asObjects()
            ? TableRecords.objects(local, layout)
            : TableRecords.lines(local, layout);
    return new FileRecords(rows, rows::line);
  }

  /**
   * Refuses a file that is written in another way.
   *
   * @throws IOException if it is one
   */
  public void requireForm(Path file) throws IOException {
    if (isTable(file) && rowsOrNull == null) {
      throw new IOException(
          "%s is a table, and records are arrays without names for its columns. Describe the fields"
                  .formatted(file)
              + " of records, or write the records as lines of JSON");
    }
  }
}
