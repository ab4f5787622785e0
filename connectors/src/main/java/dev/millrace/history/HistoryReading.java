package dev.millrace.history;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.file.InvalidRowException;
import dev.millrace.file.RecordSequence;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.record.ReceivedSerializer;
import dev.millrace.model.Partition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

/**
 * Reads one file: of each record it makes exactly one {@link Received}, whose partition is the file
 * and whose offset is the line that the record begins at.
 *
 * <p>Not thread-safe.
 */
public final class HistoryReading implements Closeable {

  private static final long NO_TIMESTAMP = -1;

  private final HistoryFile file;
  private final String name;
  private final RecordSequence records;
  private final FileRecords opened;
  private final ExampleDeserializer deserializer;
  private final ReceivedSerializer copies = new ReceivedSerializer();

  private HistoryReading(HistoryFile file, Path path, HistoryForms forms) throws IOException {
    this.file = file;
    this.name = path.toString();
    this.deserializer = forms.deserializer(path);
    deserializer.open();
    this.opened = forms.open(path, file.local());
    this.records = opened.records();
  }

  /**
   * Opens a file.
   *
   * @throws ChangedHistoryException if it has another length than when it was found
   * @throws IOException if it can't be read
   */
  public static HistoryReading open(FileSourceSplit split, HistoryForms forms) throws IOException {
    forms.requireForm(split.path());
    HistoryFile file = HistoryFile.fetch(split.path());
    try {
      long length = Files.size(file.local());
      if (length != split.fileSize()) {
        throw new ChangedHistoryException(split.path(), split.fileSize(), length);
      }
      return new HistoryReading(file, split.path(), forms);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Returns the place of all records of a file. */
  static Partition place(FileSourceSplit split) {
    return new Partition(split.path().toString(), 0);
  }

  /** Passes over records that were read before. */
  void skip(long count) throws IOException {
    for (long left = count; left > 0; left--) {
      records.skip();
    }
  }

  /**
   * Reads the next record.
   *
   * @return null at the end
   * @throws IOException if the file can't be read on
   */
  public Received next() throws IOException {
    try {
      return records.next()
          ? copies.copy(deserializer.read(name, opened.line().getAsLong(), records.value()))
          : null;
    } catch (InvalidRowException e) {
      return new RejectedRecord(
          new Partition(name, 0), e.line(), NO_TIMESTAMP, null, records.value(), e.reason());
    }
  }

  /** Returns about how many bytes a record takes. */
  static long size(Received received) {
    return received instanceof Example example
        ? (long) Float.BYTES * (example.features().length + example.labels().length)
        : received instanceof RejectedRecord rejected && rejected.value() != null
            ? rejected.value().length
            : 0;
  }

  @Override
  public void close() throws IOException {
    try (file) {
      records.close();
    }
  }
}
