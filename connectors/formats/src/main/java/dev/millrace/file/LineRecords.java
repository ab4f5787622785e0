package dev.millrace.file;

import java.io.IOException;
import java.nio.file.Path;

/** Records of a text file as they are, see {@link RecordTexts}. */
public final class LineRecords implements RecordSequence {

  private final RecordTexts records;

  private LineRecords(RecordTexts records) {
    this.records = records;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it can't be read
   */
  public static LineRecords open(Path file) throws IOException {
    return new LineRecords(RecordTexts.open(file));
  }

  @Override
  public boolean next() throws IOException {
    return records.next();
  }

  @Override
  public boolean skip() throws IOException {
    return next();
  }

  /** Returns where this record begins in the file, counted from 1. */
  public long line() {
    return records.line();
  }

  @Override
  public byte[] key() {
    return null;
  }

  @Override
  public byte[] value() {
    return records.record();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
