package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * Makes ids of words: the first 64 bits of murmur3 of 128 bits for x64, with the seed 0, of the
 * table's name, a byte 0xff and the word, both in UTF-8. No text in UTF-8 has that byte, so other
 * tables and words are other bytes. Most languages have the hash: in Python it is {@code
 * mmh3.hash64(table.encode() + b"\xff" + word.encode())[0]}.
 *
 * <p>One instance belongs to one thread.
 */
public final class IdHash implements Serializable {

  private static final byte BETWEEN = (byte) 0xff;
  private static final int LAST_ASCII = 0x7f;
  private static final int FIRST_ROOM = 64;

  private final int start;
  private byte[] bytes;

  /** Makes ids of a table. */
  public IdHash(String table) {
    byte[] name = table.getBytes(UTF_8);
    this.start = name.length + 1;
    this.bytes = Arrays.copyOf(name, start + FIRST_ROOM);
    bytes[name.length] = BETWEEN;
  }

  /** Returns the id of a word in a table. */
  public static long of(String table, String word) {
    return new IdHash(table).of(word);
  }

  /** Returns the id of a word. */
  public long of(String word) {
    int end = start + word.length();
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * end);
    }
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c > LAST_ASCII) {
        end = encode(word);
        break;
      }
      bytes[start + i] = (byte) c;
    }
    return MurmurHash3.hash128x64(bytes, 0, end, 0)[0];
  }

  /** Puts a word that isn't ASCII in its place, and returns its end. */
  private int encode(String word) {
    byte[] encoded = word.getBytes(UTF_8);
    int end = start + encoded.length;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * end);
    }
    System.arraycopy(encoded, 0, bytes, start, encoded.length);
    return end;
  }
}
