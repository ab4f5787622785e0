package dev.millrace.exchange.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A table's rows as bytes, all of one length, little-endian:
 *
 * <pre>
 * byte     0      format version, 1
 * byte     1      flags, 0
 * bytes  2 –  3   epoch, without sign
 * bytes  4 –  9   uses, without sign
 * bytes 10 – 15   last use, with sign: milliseconds, or examples
 * then            values and slots, a float each
 * </pre>
 *
 * <p>Nothing is allocated. Any thread may use it.
 */
final class RowFormat {

  static final int MOST_EPOCH = 0xFFFF;
  static final long MOST_USES = (1L << 48) - 1;

  private static final int VERSION = 1;
  private static final int HEAD = 2 * Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  private final RowTable table;
  private final int floats;

  RowFormat(RowTable table) {
    this.table = table;
    this.floats = table.floats();
  }

  /** Bytes of a row. */
  int length() {
    return HEAD + floats * Float.BYTES;
  }

  /** Floats of a row. */
  int floats() {
    return floats;
  }

  /**
   * Writes a row.
   *
   * @param bytes takes {@link #length} of them, from {@code to} on
   * @param row has its floats, from {@code at} on
   */
  void encode(byte[] bytes, int to, int epoch, long uses, long lastUse, float[] row, int at) {
    LONG.set(bytes, to, VERSION | ((long) epoch << 16) | (uses << 32));
    LONG.set(bytes, to + Long.BYTES, ((uses >>> 32) & 0xFFFF) | (lastUse << 16));
    for (int i = 0; i < floats; i++) {
      FLOAT.set(bytes, to + HEAD + i * Float.BYTES, row[at + i]);
    }
  }

  /**
   * Refuses bytes that aren't a row of this table.
   *
   * @param length of the row in {@code bytes}, from {@code from} on
   * @throws DamagedRowException if they aren't
   */
  void check(long id, byte[] bytes, int from, int length) {
    if (length != length()) {
      throw new DamagedRowException(
          ("Row %s of table '%s' has %s bytes, and %s values with the updater %s take %s: restore a"
                  + " state that was written with the table's present dimension and updater, or"
                  + " give the table another name")
              .formatted(
                  id, table.name(), length, table.dimension(), table.updater().name(), length()));
    }
    if (bytes[from] != VERSION || bytes[from + 1] != 0) {
      throw new DamagedRowException(
          "Row %s of table '%s' has format version %s with flags %s; this release reads version %s"
              .formatted(id, table.name(), bytes[from] & 0xFF, bytes[from + 1] & 0xFF, VERSION));
    }
    for (int i = 0; i < floats; i++) {
      float value = (float) FLOAT.get(bytes, from + HEAD + i * Float.BYTES);
      if (!Float.isFinite(value)) {
        throw new DamagedRowException(
            "Row %s of table '%s' has %s as its float %s, and no update leaves one"
                .formatted(id, table.name(), value, i));
      }
    }
  }

  static int epoch(byte[] bytes, int from) {
    return (int) ((long) LONG.get(bytes, from) >>> 16) & MOST_EPOCH;
  }

  static long uses(byte[] bytes, int from) {
    long head = (long) LONG.get(bytes, from) >>> 32;
    return head | ((long) LONG.get(bytes, from + Long.BYTES) & 0xFFFF) << 32;
  }

  static long lastUse(byte[] bytes, int from) {
    return (long) LONG.get(bytes, from + Long.BYTES) >> 16;
  }

  /** Reads values and slots into an array, from {@code at} on. */
  void floats(byte[] bytes, int from, float[] row, int at) {
    for (int i = 0; i < floats; i++) {
      row[at + i] = (float) FLOAT.get(bytes, from + HEAD + i * Float.BYTES);
    }
  }
}
