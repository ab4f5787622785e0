package dev.millrace.exchange.rows;

import java.io.IOException;
import java.util.Arrays;

/**
 * The journals of one table's key groups in a saved state, see {@link RowJournal}: says where the
 * newest copy of a row is. Sheets are told of first, in any order. It remembers some 30 bytes for
 * each row that has been in a sheet. Belongs to one thread.
 */
public final class SavedJournal {

  /** Takes rows one by one. */
  @FunctionalInterface
  public interface Consumer {

    /** Takes a row, which is the next one's after the call. */
    void accept(SavedRow row) throws IOException;
  }

  private final UniqueIds ids = new UniqueIds();

  /** The newest sheet of each of the ids, doubled, and 1 more if that has the row. */
  private long[] newest = new long[0];

  /**
   * Takes note of a sheet.
   *
   * @throws DamagedRowException if it can't be read
   */
  public void note(byte[] bytes) {
    RowSheet sheet = RowSheet.read(bytes);
    for (int i = 0; i < sheet.rows(); i++) {
      note(sheet.id(i), mark(sheet));
    }
    for (int i = 0; i < sheet.left(); i++) {
      note(sheet.idLeft(i), mark(sheet) - 1);
    }
  }

  /** A sheet's row comes before its note that the row left earlier. */
  private static long mark(RowSheet sheet) {
    return 2 * sheet.number() + 1;
  }

  private void note(long id, long mark) {
    int number = ids.add(id, 0);
    if (number >= newest.length) {
      newest = Arrays.copyOf(newest, Math.max(64, 2 * newest.length));
    }
    newest[number] = Math.max(newest[number], mark);
  }

  /** Returns whether the journal has the newest copy of a row. */
  public boolean has(long id) {
    int number = ids.find(id);
    return number >= 0 && newest[number] % 2 == 1;
  }

  /**
   * Hands out the rows of a sheet that are the newest copies.
   *
   * @param row takes each of them
   * @return how many there are
   * @throws DamagedRowException if one can't be read
   */
  public long read(byte[] bytes, SavedRow row, Consumer consumer) throws IOException {
    RowSheet sheet = RowSheet.read(bytes);
    long read = 0;
    for (int i = 0; i < sheet.rows(); i++) {
      if (newest[ids.find(sheet.id(i))] == mark(sheet)) {
        row.read(sheet.id(i), sheet.bytes(), sheet.at(i), sheet.rowLength());
        consumer.accept(row);
        read++;
      }
    }
    return read;
  }
}
