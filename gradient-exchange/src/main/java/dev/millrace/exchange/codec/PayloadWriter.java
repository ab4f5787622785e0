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

  private void reserve(int count) {
    if (count > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + count));
    }
  }
}
