package dev.millrace.exchange.codec;

import java.nio.IntBuffer;

/**
 * See {@link Bfloat16Codec}. Every loop is over whole arrays of one type, so that it vectorizes;
 * rounding in floats (Dekker 1971, "A floating-point technique for extending the available
 * precision") saves the way of the rounded bits back into floats.
 */
final class Bfloat16Encoder implements Encoder {

  /** Keeps the products with {@link #SPLITTER} finite. */
  private static final float DOWN = 0x1p-17f;

  private static final float UP = 0x1p17f;

  /** Leaves 8 of the 24 bits of a float's significand. */
  private static final float SPLITTER = 0x1p16f + 1;

  private final FloatBits chunk = new FloatBits();
  private final float[] values = new float[FloatBits.CHUNK];
  private final float[] rounded = new float[FloatBits.CHUNK];
  private final int[] lower = new int[FloatBits.CHUNK / 2];
  private final int[] upper = new int[FloatBits.CHUNK / 2];
  private final int[] words = new int[FloatBits.CHUNK / 2];

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    byte[] payload = new byte[Bfloat16Codec.payloadSize(length)];
    IntBuffer to = Bfloat16Codec.words(payload);
    for (int at = 0; at < length; at += FloatBits.CHUNK) {
      int count = Math.min(FloatBits.CHUNK, length - at);
      System.arraycopy(change, at, values, 0, count);
      split(count);
      System.arraycopy(values, 0, change, at, count);
      int half = (count + 1) / 2;
      chunk.putFloats(rounded, 0, count);
      chunk.getBits(0, lower, half);
      upper[half - 1] = 0;
      chunk.getBits(half, upper, count - half);
      pack(half);
      to.put(at / 2, words, 0, half);
    }
    return payload;
  }

  /** Splits values into what is sent and what is left. */
  private void split(int count) {
    for (int i = 0; i < count; i++) {
      float value = values[i];
      float scaled = value * DOWN;
      float product = scaled * SPLITTER;
      float sent = (product - (product - scaled)) * UP;
      rounded[i] = sent;
      values[i] = value - sent;
    }
  }

  private void pack(int half) {
    for (int i = 0; i < half; i++) {
      words[i] = (lower[i] >>> 16) | (upper[i] & 0xffff0000);
    }
  }
}
