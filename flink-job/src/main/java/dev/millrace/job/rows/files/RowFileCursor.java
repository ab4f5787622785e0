package dev.millrace.job.rows.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.apache.flink.core.fs.FSDataInputStream;

/** Goes through a file of rows in the order of ids. Memory holds a buffer for each tensor. */
final class RowFileCursor implements AutoCloseable {

  private final RowFile file;
  private final FSDataInputStream in;
  private final Column ids;
  private final Column removed;
  private final Column values;
  private boolean begun;
  private boolean onRemoved;

  /** The elements of one tensor, from first to last. */
  private final class Column {

    private final int width;
    private final long expected;
    private final ByteBuffer buffer;
    private final CRC32 checksum = new CRC32();
    private long position;
    private long unread;
    private int at;
    private boolean there;

    Column(long position, long count, int width, int bytes, long expected) {
      this.position = position;
      this.unread = count;
      this.width = width;
      this.expected = expected;
      long elements = Math.min(count, Math.max(1, bytes / width));
      this.buffer =
          ByteBuffer.allocate(Math.toIntExact(elements * width)).order(ByteOrder.LITTLE_ENDIAN);
      buffer.limit(0);
    }

    void next() throws IOException {
      if (!buffer.hasRemaining()) {
        fill();
      }
      there = buffer.hasRemaining();
      if (there) {
        at = buffer.position();
        buffer.position(at + width);
      }
    }

    private void fill() throws IOException {
      int length = Math.toIntExact(Math.min(unread * width, buffer.capacity()));
      if (length == 0) {
        return;
      }
      in.seek(position);
      for (int got = 0; got < length; ) {
        int some = in.read(buffer.array(), got, length - got);
        if (some < 0) {
          throw new EOFException(file.file() + " ends early");
        }
        got += some;
      }
      position += length;
      unread -= length / width;
      checksum.update(buffer.array(), 0, length);
      if (unread == 0 && checksum.getValue() != expected) {
        throw new IOException(
            "%s is damaged: its checksum isn't that of %s"
                .formatted(file.file(), RowManifest.NAME));
      }
      buffer.limit(length).position(0);
    }

    long value() {
      return buffer.getLong(at);
    }
  }

  /**
   * Opens a file.
   *
   * @param withValues whether values are read, too
   * @param bytes of buffers
   */
  RowFileCursor(RowDirectory directory, RowFile file, int dimension, boolean withValues, int bytes)
      throws IOException {
    this.file = file;
    int width = dimension * Float.BYTES;
    int share = bytes / (2 * Long.BYTES + width);
    long begin = file.begin(dimension);
    this.in = directory.read(file.file());
    long second = begin + file.rows() * Long.BYTES;
    long third = second + file.removed() * Long.BYTES;
    RowFile.Checksums expected = file.crc32();
    ids = new Column(begin, file.rows(), Long.BYTES, share * Long.BYTES, expected.id());
    removed =
        new Column(second, file.removed(), Long.BYTES, share * Long.BYTES, expected.removed());
    values =
        new Column(third, withValues ? file.rows() : 0, width, share * width, expected.values());
  }

  /** Moves to the next id, if there is one. */
  boolean next() throws IOException {
    if (!begun || onRemoved) {
      removed.next();
    }
    if (!begun || !onRemoved) {
      ids.next();
      values.next();
    }
    begun = true;
    onRemoved = removed.there && !(ids.there && ids.value() < removed.value());
    return ids.there || removed.there;
  }

  RowFile file() {
    return file;
  }

  long id() {
    return onRemoved ? removed.value() : ids.value();
  }

  /** Whether the id has no row any more. */
  boolean isRemoved() {
    return onRemoved;
  }

  /** Returns what has the values from {@link #valuesAt} on, until the next move. */
  byte[] values() {
    return values.buffer.array();
  }

  int valuesAt() {
    return values.at;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
