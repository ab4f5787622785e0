package dev.millrace.cli.describe;

import dev.millrace.file.FieldTable;
import dev.millrace.file.RecordTexts;
import dev.millrace.file.TableRecords;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;

/**
 * The records of a sample, as they are or would be in a topic.
 *
 * <p>Not thread-safe.
 */
public interface SampledRecords extends Closeable {

  /** Opens the records anew. */
  @FunctionalInterface
  interface Source {
    SampledRecords open() throws IOException;
  }

  /** Goes to the next record; false at the end. */
  boolean next() throws IOException;

  /** The record's value. */
  byte[] value();

  /** Where the record is, in words such as {@code line 7}. */
  String place();

  /**
   * The records of a file as they are produced with proposed options.
   *
   * @param json whether it is no table
   * @throws IOException if it can't be read
   */
  static SampledRecords of(Path file, boolean json, Configuration options) throws IOException {
    if (json) {
      return of(RecordTexts.open(file));
    }
    FieldTable table = InputFields.table(options, InputOptions.shape(options));
    return of(
        options.get(InputOptions.FORMAT).equals("csv")
            ? TableRecords.lines(file, table)
            : TableRecords.objects(file, table));
  }

  /** Rows of a table. */
  private static SampledRecords of(TableRecords rows) {
    return new SampledRecords() {
      @Override
      public boolean next() throws IOException {
        return rows.next();
      }

      @Override
      public byte[] value() {
        return rows.value();
      }

      @Override
      public String place() {
        return "line " + rows.line();
      }

      @Override
      public void close() throws IOException {
        rows.close();
      }
    };
  }

  /** Records of a text file. */
  private static SampledRecords of(RecordTexts texts) {
    return new SampledRecords() {
      @Override
      public boolean next() throws IOException {
        return texts.next();
      }

      @Override
      public byte[] value() {
        return texts.record();
      }

      @Override
      public String place() {
        return "line " + texts.line();
      }

      @Override
      public void close() throws IOException {
        texts.close();
      }
    };
  }
}
