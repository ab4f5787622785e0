package dev.millrace.job.rows.files;

import dev.millrace.snapshot.SafetensorsHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes a file of rows in the format safetensors: {@code id} and {@code removed}, 64-bit integers
 * in ascending order, and {@code values}, a row of floats for each of {@code id}. Rows are gone
 * through once for each tensor, so memory holds a buffer, however many there are.
 */
final class RowFileWriter {

  private static final int BUFFER = 1 << 16;

  private final OutputStream out;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32 checksum = new CRC32();

  private RowFileWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes a file that nobody reads yet.
   *
   * @param plan says what it is of; its counts, bytes and checksums aren't known yet
   * @return all of it
   */
  static RowFile write(
      RowDirectory directory, String table, int dimension, SortedRows rows, RowFile plan)
      throws IOException {
    long[] count = new long[2];
    rows.forEach(false, (id, removed, from, at) -> count[removed ? 1 : 0]++);
    int width = dimension * Float.BYTES;
    SafetensorsHeader header =
        new SafetensorsHeader(
            Map.of(
                "table", table,
                "from", Long.toString(plan.from()),
                "to", Long.toString(plan.to())));
    header.add("id", "I64", List.of(count[0]), count[0] * Long.BYTES);
    header.add("removed", "I64", List.of(count[1]), count[1] * Long.BYTES);
    header.add("values", "F32", List.of(count[0], (long) dimension), count[0] * width);
    byte[] head = header.toBytes();
    try (RowDirectory.NewFile file = directory.create(plan.file())) {
      RowFileWriter writer = new RowFileWriter(file.out());
      file.out().write(head);
      long ids = writer.ids(rows, false);
      long removed = writer.ids(rows, true);
      long values = writer.values(rows, width);
      file.finish();
      return new RowFile(
          plan.file(),
          plan.dropped(),
          plan.from(),
          plan.to(),
          count[0],
          count[1],
          head.length + (count[0] + count[1]) * Long.BYTES + count[0] * width,
          new RowFile.Checksums(ids, removed, values));
    }
  }

  private long ids(SortedRows rows, boolean wanted) throws IOException {
    rows.forEach(
        false,
        (id, removed, from, at) -> {
          if (removed == wanted) {
            room(Long.BYTES);
            buffer.putLong(id);
          }
        });
    return end();
  }

  private long values(SortedRows rows, int width) throws IOException {
    rows.forEach(
        true,
        (id, removed, from, at) -> {
          if (!removed) {
            put(from, at, width);
          }
        });
    return end();
  }

  private void put(byte[] from, int at, int length) throws IOException {
    for (int done = 0; done < length; ) {
      room(1);
      int some = Math.min(buffer.remaining(), length - done);
      buffer.put(from, at + done, some);
      done += some;
    }
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    checksum.update(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  /** Ends a tensor, and returns its checksum. */
  private long end() throws IOException {
    flush();
    long value = checksum.getValue();
    checksum.reset();
    return value;
  }
}
