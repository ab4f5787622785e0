package dev.millrace.serve;

import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * An answer in bytes.
 *
 * @param tail binary data behind the JSON; none where all is JSON
 */
record Written(byte[] json, List<byte[]> tail) {

  /** Returns the JSON, and behind it the tail. */
  byte[] all() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(json);
    tail.forEach(all::writeBytes);
    return all.toByteArray();
  }

  static Written json(byte[] json) {
    return new Written(json, List.of());
  }
}
