package dev.millrace.exchange.rows;

import java.nio.ByteBuffer;

/**
 * A sheet of a key group's journal: rows as they were at one barrier, and ids of rows that were in
 * earlier sheets and lie in the store now, or nowhere. As bytes, big-endian:
 *
 * <pre>
 * byte            format version, 1
 * int             key group
 * long            number of the sheet in the group's journal
 * 3 ints          bytes of a row, rows, ids that left
 * longs           ids of the rows, then those that left
 * then            the rows, see {@link RowFormat}
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class RowSheet {

  private static final byte VERSION = 1;
  private static final int HEAD = 1 + Integer.BYTES + Long.BYTES + 3 * Integer.BYTES;

  private final byte[] sheet;
  private final ByteBuffer bytes;
  private final int group;
  private final long number;
  private final int rowLength;
  private final int rows;
  private final int left;

  private RowSheet(byte[] sheet, int group, long number, int rowLength, int rows, int left) {
    this.sheet = sheet;
    this.bytes = ByteBuffer.wrap(sheet);
    this.group = group;
    this.number = number;
    this.rowLength = rowLength;
    this.rows = rows;
    this.left = left;
  }

  /** Makes an empty sheet, with room for as many rows and as many ids that left. */
  static RowSheet of(int group, long number, int rowLength, int rows, int left) {
    int ids = Math.multiplyExact(Long.BYTES, Math.addExact(rows, left));
    int length = Math.addExact(HEAD + ids, Math.multiplyExact(rows, rowLength));
    RowSheet sheet = new RowSheet(new byte[length], group, number, rowLength, rows, left);
    sheet.bytes.put(VERSION).putInt(group).putLong(number);
    sheet.bytes.putInt(rowLength).putInt(rows).putInt(left);
    return sheet;
  }

  /**
   * Reads a sheet.
   *
   * @throws DamagedRowException if the bytes are none
   */
  static RowSheet read(byte[] sheet) {
    ByteBuffer bytes = ByteBuffer.wrap(sheet);
    if (sheet.length < HEAD || bytes.get() != VERSION) {
      throw damaged(sheet);
    }
    int group = bytes.getInt();
    long number = bytes.getLong();
    int rowLength = bytes.getInt();
    int rows = bytes.getInt();
    int left = bytes.getInt();
    long length = HEAD + (long) Long.BYTES * rows + (long) Long.BYTES * left;
    if (rowLength < 0 || rows < 0 || left < 0 || length + (long) rows * rowLength != sheet.length) {
      throw damaged(sheet);
    }
    return new RowSheet(sheet, group, number, rowLength, rows, left);
  }

  private static DamagedRowException damaged(byte[] sheet) {
    return new DamagedRowException(
        "%s bytes of %s are no sheet of rows that this release reads, format version %s"
            .formatted(
                sheet.length, sheet.length == 0 ? "nothing" : "version " + sheet[0], VERSION));
  }

  int group() {
    return group;
  }

  long number() {
    return number;
  }

  int rowLength() {
    return rowLength;
  }

  int rows() {
    return rows;
  }

  /** Returns how many ids left. */
  int left() {
    return left;
  }

  long id(int row) {
    return bytes.getLong(HEAD + row * Long.BYTES);
  }

  void setId(int row, long id) {
    bytes.putLong(HEAD + row * Long.BYTES, id);
  }

  long idLeft(int index) {
    return id(rows + index);
  }

  void setIdLeft(int index, long id) {
    setId(rows + index, id);
  }

  /** Returns where a row begins in {@link #bytes}. */
  int at(int row) {
    return HEAD + (rows + left) * Long.BYTES + row * rowLength;
  }

  /** All of it. */
  byte[] bytes() {
    return sheet;
  }
}
