package dev.millrace.cli.describe;

import dev.millrace.file.RecordTexts;
import dev.millrace.file.TableRecords;
import java.io.Closeable;
import java.io.IOException;

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

  /** Returns where the record is, in words such as {@code line 7}. */
  String place();

  /** Rows of a table. */
  static SampledRecords of(TableRecords rows) {
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
  static SampledRecords of(RecordTexts texts) {
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
