package dev.millrace.cli.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** One tensor of a file that is written row by row, beside the others. */
final class TensorColumn {

  private static final int BUFFER = 1 << 18;

  private final FileChannel file;
  private final ByteBuffer buffer;
  private long at;

  /**
   * @param at where its first value lies in the file
   * @param width bytes of a row
   */
  TensorColumn(FileChannel file, long at, int width) {
    this.file = file;
    this.at = at;
    this.buffer = ByteBuffer.allocate(Math.max(BUFFER, width)).order(ByteOrder.LITTLE_ENDIAN);
  }

  void add(long value) throws IOException {
    require(Long.BYTES);
    buffer.putLong(value);
  }

  /** Adds the first {@code length} of some values. */
  void add(float[] values, int length) throws IOException {
    int bytes = length * Float.BYTES;
    require(bytes);
    buffer.asFloatBuffer().put(values, 0, length);
    buffer.position(buffer.position() + bytes);
  }

  private void require(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      at += file.write(buffer, at);
    }
    buffer.clear();
  }
}
