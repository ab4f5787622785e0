package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.InvalidExampleException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/**
 * Makes texts of bytes. The short ones of a stream are mostly the same few, so each is made once
 * for as long as it keeps its place here.
 *
 * <p>Not thread-safe.
 */
public final class Texts {

  private static final int PLACES = 512;
  private static final int LONGEST_KEPT = 32;

  private final byte[][] bytes = new byte[PLACES][];
  private final String[] texts = new String[PLACES];
  private final CharsetDecoder decoder =
      UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  /**
   * The text of bytes.
   *
   * @throws InvalidExampleException if they aren't UTF-8
   */
  public String of(byte[] utf8, int from, int to) throws InvalidExampleException {
    if (to - from > LONGEST_KEPT) {
      return decode(utf8, from, to);
    }
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + utf8[i];
    }
    int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
    byte[] kept = bytes[place];
    if (kept == null || !Arrays.equals(kept, 0, kept.length, utf8, from, to)) {
      texts[place] = decode(utf8, from, to);
      bytes[place] = Arrays.copyOfRange(utf8, from, to);
    }
    return texts[place];
  }

  private String decode(byte[] utf8, int from, int to) throws InvalidExampleException {
    int bits = 0;
    for (int i = from; i < to; i++) {
      bits |= utf8[i];
    }
    if (bits >= 0) {
      return new String(utf8, from, to - from, ISO_8859_1);
    }
    try {
      return decoder.decode(ByteBuffer.wrap(utf8, from, to - from)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidExampleException("not UTF-8 in the text at byte " + from);
    }
  }
}
