package dev.millrace.exchange.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads what {@link PayloadWriter} wrote. Every method throws {@link IllegalArgumentException}
 * where the payload doesn't hold what is asked for.
 */
final class PayloadReader {

  private final byte[] bytes;
  private int at;

  /** Bits of bytes that have been read, the lowest first. */
  private long bits;

  private int bitCount;

  PayloadReader(byte[] payload) {
    this.bytes = payload;
  }

  int readByte() {
    return bytes[skip(1)] & 0xff;
  }

  int readVarint() {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = readByte();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        check(value <= Integer.MAX_VALUE, "has a number that is too large");
        return (int) value;
      }
    }
    throw refused("has a number of more than 5 bytes");
  }

  /** A number of things, of which there can't be more than {@code most}. */
  int readCount(int most) {
    int count = readVarint();
    if (count > most) {
      throw refused("has %s of at most %s values".formatted(count, most));
    }
    return count;
  }

  float readFloat() {
    return (float) PayloadWriter.FLOAT.get(bytes, skip(Float.BYTES));
  }

  void readFloats(float[] values, int count) {
    int start = skip(count * Float.BYTES);
    ByteBuffer.wrap(bytes, start, count * Float.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values, 0, count);
  }

  /** Passes over {@code count} bytes; returns where they start, for {@link #get}. */
  int skip(int count) {
    check(count <= bytes.length - at, "ends early");
    int start = at;
    at += count;
    return start;
  }

  int get(int position) {
    return bytes[position] & 0xff;
  }

  /**
   * Reads what {@link PayloadWriter#writeBits} wrote.
   *
   * @param count at most 32
   */
  int readBits(int count) {
    while (bitCount < count) {
      bits |= (long) readByte() << bitCount;
      bitCount += Byte.SIZE;
    }
    int value = (int) (bits & ((1L << count) - 1));
    bits >>>= count;
    bitCount -= count;
    return value;
  }

  /** Reads bits up to the first that is zero; returns how many ones there are, at most so many. */
  int readOnes(int most) {
    int ones = 0;
    while (readBits(1) != 0) {
      check(ones < most, "has a value beyond its piece");
      ones++;
    }
    return ones;
  }

  /** Passes over the rest of a byte, which is zeros. */
  void endBits() {
    check(bits == 0, "has bits beyond its values");
    bitCount = 0;
  }

  void end() {
    check(at == bytes.length, "has more than a block's values");
  }

  void check(boolean holds, String otherwise) {
    if (!holds) {
      throw refused(otherwise);
    }
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "Payload of %s bytes %s, at byte %s".formatted(bytes.length, why, at));
  }
}
