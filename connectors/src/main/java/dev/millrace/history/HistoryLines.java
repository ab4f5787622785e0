package dev.millrace.history;

import dev.millrace.file.NamedTable;
import dev.millrace.file.RecordTexts;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.fs.Path;

/** The lines at which the records of a file begin, as a ledger counts them. */
public final class HistoryLines {

  private HistoryLines() {}

  /** Whether records of a ledger are of a file: no topic has a slash in its name. */
  public static boolean isFile(Partition partition) {
    return isFile(partition.topic());
  }

  /** Whether a ledger's or a log's name is that of a file, and not of a topic. */
  public static boolean isFile(String name) {
    return name.contains("/");
  }

  /**
   * Counts the lines of a file, up to one of them.
   *
   * @param separator of columns, if it is a table
   * @param first line of a record that was read. Lines of a table count from there, since a header
   *     may be above; those of JSON all count
   * @return empty if there is no such file
   * @throws IOException if it can't be read
   */
  public static Optional<Span> of(Partition file, char separator, long first, long last)
      throws IOException {
    Path path = new Path(file.topic());
    if (!path.getFileSystem().exists(path)) {
      return Optional.empty();
    }
    try (HistoryFile fetched = HistoryFile.fetch(path)) {
      return Optional.of(
          HistoryForms.isTable(path)
              ? ofTable(fetched.local(), separator, first, last)
              : ofTexts(fetched.local(), last));
    }
  }

  private static Span ofTable(java.nio.file.Path file, char separator, long first, long last)
      throws IOException {
    Span span = Span.EMPTY;
    try (NamedTable table = NamedTable.open(file, separator, head -> false)) {
      while (table.next() && table.line() <= last) {
        span = table.line() < first ? span : span.plus(table.line());
      }
    }
    return span;
  }

  private static Span ofTexts(java.nio.file.Path file, long last) throws IOException {
    Span span = Span.EMPTY;
    try (RecordTexts records = RecordTexts.open(file)) {
      while (records.next() && records.line() <= last) {
        span = span.plus(records.line());
      }
    }
    return span;
  }
}
