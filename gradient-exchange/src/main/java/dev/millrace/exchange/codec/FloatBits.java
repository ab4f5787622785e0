package dev.millrace.exchange.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * A chunk of floats and their bits, the same memory: copied in and out in bulk, which is several
 * times faster than {@link Float#floatToRawIntBits} value by value, as that keeps the compiler from
 * vectorizing the loop around it.
 *
 * <p>Not thread-safe.
 */
final class FloatBits {

  /** Values of a chunk: few enough for a chunk and its copies to stay in the first-level cache. */
  static final int CHUNK = 1024;

  private final FloatBuffer floats;
  private final IntBuffer bits;

  FloatBits() {
    ByteBuffer bytes =
        ByteBuffer.wrap(new byte[CHUNK * Float.BYTES]).order(ByteOrder.nativeOrder());
    this.floats = bytes.asFloatBuffer();
    this.bits = bytes.asIntBuffer();
  }

  void putFloats(float[] from, int at, int count) {
    floats.put(0, from, at, count);
  }

  void getFloats(float[] to, int at, int count) {
    floats.get(0, to, at, count);
  }

  /** Writes from the chunk's value {@code index} on. */
  void putBits(int index, int[] from, int count) {
    bits.put(index, from, 0, count);
  }

  /** Reads from the chunk's value {@code index} on. */
  void getBits(int index, int[] to, int count) {
    bits.get(index, to, 0, count);
  }
}
