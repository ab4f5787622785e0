package dev.millrace.serve;

import java.util.List;

/**
 * An answer in bytes.
 *
 * @param tail binary data behind the JSON; none where all is JSON
 */
record Written(byte[] json, List<byte[]> tail) {

  static Written json(byte[] json) {
    return new Written(json, List.of());
  }
}
