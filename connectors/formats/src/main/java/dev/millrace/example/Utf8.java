package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;

/** Tells text from bytes that are none. */
public final class Utf8 {

  private Utf8() {}

  /**
   * Checks that a value is text.
   *
   * @throws InvalidExampleException if the bytes aren't UTF-8, saying where
   */
  public static void require(byte[] value) throws InvalidExampleException {
    int bits = 0;
    for (byte b : value) {
      bits |= b;
    }
    if (bits >= 0) {
      // All ASCII, as most are.
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    CharBuffer out = CharBuffer.allocate(value.length);
    if (UTF_8.newDecoder().decode(in, out, true).isError()) {
      throw new InvalidExampleException("not UTF-8 at byte " + in.position());
    }
  }
}
