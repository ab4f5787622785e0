package dev.millrace.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines as the bytes that they are, whatever these stand for. A line ends with a line feed, which
 * may have a carriage return before it.
 *
 * <p>Not thread-safe.
 */
final class ByteLines {

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int from;
  private int to;

  ByteLines(InputStream in) {
    this.in = in;
  }

  /** Reads the next line without its end; null behind the last one. */
  byte[] next() throws IOException {
    line.reset();
    boolean isThere = false;
    while (from < to || fill()) {
      isThere = true;
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      line.write(buffer, from, end - from);
      from = end + 1;
      if (end < to) {
        break;
      }
    }
    return isThere ? withoutReturn(line.toByteArray()) : null;
  }

  private boolean fill() throws IOException {
    from = 0;
    to = in.read(buffer);
    return to > 0;
  }

  private static byte[] withoutReturn(byte[] line) {
    int last = line.length - 1;
    return last >= 0 && line[last] == '\r' ? Arrays.copyOf(line, last) : line;
  }
}
