package dev.millrace.cli.rows;

import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Rows and tables as a state has them. */
final class RowBytes {

  private static final int HEAD = 16;

  private RowBytes() {}

  /** A table with SGD, whose rows have no slots. */
  static SavedTable table(String name, int dimension, long rows) {
    return new SavedTable(
        name, dimension, "sgd", new RowCounts(rows, rows, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  /** Fills the row. */
  static SavedRow fill(SavedRow row, long id, int uses, int lastUse, float... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEAD + values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 1).put((byte) 0).putShort((short) 0);
    bytes.putInt(uses).putShort((short) 0);
    bytes.putInt(lastUse).putShort((short) (lastUse < 0 ? -1 : 0));
    for (float value : values) {
      bytes.putFloat(value);
    }
    row.read(id, bytes.array());
    return row;
  }
}
