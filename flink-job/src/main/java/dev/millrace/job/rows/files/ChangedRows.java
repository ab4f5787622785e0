package dev.millrace.job.rows.files;

import dev.millrace.exchange.rows.UniqueIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;

/** Rows of one table that have changed, in memory: the last change of each. */
final class ChangedRows implements SortedRows {

  private static final int FIRST_ROWS = 64;

  private final int width;
  private final UniqueIds ids = new UniqueIds();
  private final BitSet removed = new BitSet();
  private byte[] values;
  private ByteBuffer buffer;

  ChangedRows(int dimension) {
    this.width = dimension * Float.BYTES;
    use(new byte[FIRST_ROWS * width]);
  }

  private void use(byte[] newValues) {
    values = newValues;
    buffer = ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Takes a change; null where the row was removed. */
  void put(long id, float[] rowOrNull) {
    int number = ids.add(id, 1);
    removed.set(number, rowOrNull == null);
    if (rowOrNull == null) {
      return;
    }
    int at = number * width;
    if (values.length < at + width) {
      use(Arrays.copyOf(values, Math.max(at + width, 2 * values.length)));
    }
    buffer.position(at);
    buffer.asFloatBuffer().put(rowOrNull);
  }

  /** Returns about how many bytes they are in a file. */
  int bytes() {
    return ids.size() * (Long.BYTES + width);
  }

  void clear() {
    ids.clear();
    removed.clear();
    use(new byte[FIRST_ROWS * width]);
  }

  @Override
  public void forEach(boolean withValues, Visitor visitor) throws IOException {
    long[] sorted = Arrays.copyOf(ids.ids(), ids.size());
    Arrays.sort(sorted);
    for (long id : sorted) {
      int number = ids.find(id);
      visitor.row(id, removed.get(number), values, number * width);
    }
  }
}
