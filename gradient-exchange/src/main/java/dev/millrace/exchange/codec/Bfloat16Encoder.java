package dev.millrace.exchange.codec;

import java.nio.IntBuffer;

/**
 * See {@link Bfloat16Codec}. Every loop is over whole arrays of one type, so that it vectorizes.
 */
final class Bfloat16Encoder implements Encoder {

  private static final int LARGEST_FINITE = 0x7f7fffff;

  private final FloatBits chunk = new FloatBits();
  private final int[] lower = new int[FloatBits.CHUNK / 2];
  private final int[] upper = new int[FloatBits.CHUNK / 2];
  private final int[] words = new int[FloatBits.CHUNK / 2];
  private final float[] values = new float[FloatBits.CHUNK];
  private final float[] rounded = new float[FloatBits.CHUNK];

  @Override
  public byte[] encode(int offset, float[] change, int length) {
    byte[] payload = new byte[Bfloat16Codec.payloadSize(length)];
    IntBuffer to = Bfloat16Codec.words(payload);
    for (int at = 0; at < length; at += FloatBits.CHUNK) {
      int count = Math.min(FloatBits.CHUNK, length - at);
      int half = (count + 1) / 2;
      chunk.putFloats(change, at, count);
      chunk.getBits(0, lower, half);
      upper[half - 1] = 0;
      chunk.getBits(half, upper, count - half);
      roundAndPack(half);
      to.put(at / 2, words, 0, half);
      chunk.putBits(0, lower, half);
      chunk.putBits(half, upper, count - half);
      chunk.getFloats(rounded, 0, count);
      System.arraycopy(change, at, values, 0, count);
      subtract(values, rounded, count);
      System.arraycopy(values, 0, change, at, count);
    }
    return payload;
  }

  private void roundAndPack(int half) {
    for (int i = 0; i < half; i++) {
      int low = round(lower[i]);
      int high = round(upper[i]);
      lower[i] = low;
      upper[i] = high;
      words[i] = (low >>> 16) | high;
    }
  }

  /** Clamps without {@link Math#min}, with which the loop would be several times slower. */
  private static int round(int bits) {
    int up = bits + 0x7fff + ((bits >>> 16) & 1);
    int minusOneIfInfinite = (LARGEST_FINITE - (up & 0x7fffffff)) >> 31;
    return (up + (minusOneIfInfinite << 16)) & 0xffff0000;
  }

  private static void subtract(float[] from, float[] what, int count) {
    for (int i = 0; i < count; i++) {
      from[i] -= what[i];
    }
  }
}
