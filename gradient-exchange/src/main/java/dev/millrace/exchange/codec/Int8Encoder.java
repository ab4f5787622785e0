package dev.millrace.exchange.codec;

import java.nio.FloatBuffer;

/** See {@link Int8Codec}. */
final class Int8Encoder {

  private static final int GREATEST = 127;

  /** Added and taken away again, it leaves a float below 2^22 without its fraction. */
  private static final float ROUNDING = 0x1.8p23f;

  private Int8Encoder() {}

  static byte[] encode(int offset, float[] change, int length) {
    byte[] payload = new byte[Int8Codec.payloadSize(length)];
    FloatBuffer scales = Int8Codec.scales(payload);
    int bytes = payload.length - length;
    for (int from = 0; from < length; from += Int8Codec.GROUP) {
      int to = Math.min(length, from + Int8Codec.GROUP);
      float scale = scale(greatest(change, from, to));
      if (scale != 0) {
        scales.put(from / Int8Codec.GROUP, scale);
        quantize(change, from, to, scale, payload, bytes);
      }
    }
    return payload;
  }

  private static float greatest(float[] values, int from, int to) {
    float greatest = 0;
    for (int i = from; i < to; i++) {
      greatest = Math.max(greatest, Math.abs(values[i]));
    }
    return greatest;
  }

  private static float scale(float greatest) {
    float scale = greatest / GREATEST;
    return scale < Float.MIN_NORMAL ? 0 : scale;
  }

  private static void quantize(
      float[] change, int from, int to, float scale, byte[] payload, int bytes) {
    float inverse = 1 / scale;
    for (int i = from; i < to; i++) {
      float value = change[i];
      float steps = value * inverse + ROUNDING - ROUNDING;
      payload[bytes + i] = (byte) (int) steps;
      change[i] = value - steps * scale;
    }
  }
}
