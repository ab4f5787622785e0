package dev.millrace.exchange.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The bytes of a payload of unknown size; reused from payload to payload.
 *
 * <p>Not thread-safe.
 */
final class PayloadWriter {

  static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[256];
  private int size;

  /** Bits that have no byte yet, the lowest first, fewer than eight between calls. */
  private long bits;

  private int bitCount;

  void clear() {
    size = 0;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  /**
   * Seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
   *
   * @param value not negative
   */
  void writeVarint(int value) {
    reserve(5);
    int rest = value;
    while (rest >= 0x80) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** The bytes that {@link #writeVarint} takes. */
  static int varintSize(int value) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
  }

  void writeFloat(float value) {
    reserve(Float.BYTES);
    FLOAT.set(bytes, size, value);
    size += Float.BYTES;
  }

  void writeFloats(float[] values, int count) {
    reserve(count * Float.BYTES);
    ByteBuffer.wrap(bytes, size, count * Float.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(values, 0, count);
    size += count * Float.BYTES;
  }

  /** Appends zeros, to be {@link #set}; returns where they start. */
  int writeZeros(int count) {
    reserve(count);
    Arrays.fill(bytes, size, size + count, (byte) 0);
    int start = size;
    size += count;
    return start;
  }

  /** Sets bits of a byte that has been written. */
  void set(int at, int bits) {
    bytes[at] |= (byte) bits;
  }

  /**
   * Appends the lowest {@code count} bits, behind those before; nothing but bits until {@link
   * #endBits}.
   *
   * @param value without any bits above these
   * @param count at most 32
   */
  void writeBits(int value, int count) {
    bits |= (value & 0xffffffffL) << bitCount;
    bitCount += count;
    if (bitCount >= Byte.SIZE) {
      reserve(Integer.BYTES + 1);
      for (; bitCount >= Byte.SIZE; bitCount -= Byte.SIZE) {
        bytes[size++] = (byte) bits;
        bits >>>= Byte.SIZE;
      }
    }
  }

  /** Appends so many bits that are one. */
  void writeOnes(int count) {
    for (int left = count; left > 0; left -= Short.SIZE) {
      int some = Math.min(left, Short.SIZE);
      writeBits((1 << some) - 1, some);
    }
  }

  /** Fills the last byte up with zeros. */
  void endBits() {
    if (bitCount > 0) {
      writeBits(0, Byte.SIZE - bitCount);
    }
  }

  private void reserve(int count) {
    if (count > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + count));
    }
  }
}
