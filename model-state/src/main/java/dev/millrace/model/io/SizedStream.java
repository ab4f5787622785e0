package dev.millrace.model.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The content of an entry, held to the size that its archive tells. */
final class SizedStream extends FilterInputStream {

  private long left;

  SizedStream(InputStream in, long size) {
    super(in);
    this.left = size;
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int read = in.read(bytes, from, length);
    count(Math.max(read, 0));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = in.skip(bytes);
    count(skipped);
    return skipped;
  }

  private void count(long bytes) throws IOException {
    left -= bytes;
    if (left < 0) {
      throw new IOException("it is longer than its archive tells");
    }
  }
}
