package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Keys as Flink partitions by them. A key is bytes, and Flink can't take arrays as keys: it is kept
 * as a text with a character for each byte, whatever the bytes mean.
 */
final class JoinKey {

  private JoinKey() {}

  /** Returns the text of a record's key. */
  static String ofBytes(byte[] key) {
    return new String(key, ISO_8859_1);
  }

  /**
   * Returns the text of a text or a number in a record's value: the same as of its bytes in UTF-8.
   */
  static String ofText(String text) {
    return ofBytes(utf8(text));
  }

  /** The bytes that the key was made of. */
  static byte[] bytes(String key) {
    return key.getBytes(ISO_8859_1);
  }

  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] utf8) {
    return new String(utf8, UTF_8);
  }
}
