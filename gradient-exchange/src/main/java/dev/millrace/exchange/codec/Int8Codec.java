package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * A signed byte for each value, times a scale for each {@value #GROUP} values: a 127th of the
 * group's greatest magnitude. Rounds to the nearest, ties to even.
 *
 * <p>A group whose scale wouldn't be a normal float (all below 1.5e-36) has scale 0 and is left
 * whole, as no multiple of a denormal scale comes near its values.
 *
 * <p>The payload: the scales as little-endian floats, then a byte for each value, -127 to 127.
 */
final class Int8Codec implements Codec {

  static final int GROUP = 256;

  @Override
  public String name() {
    return "int8";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return Int8Encoder::encode;
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    if (payload.length != payloadSize(length)) {
      throw new IllegalArgumentException(
          "A block of %s values in int8 can't come from %s bytes"
              .formatted(length, payload.length));
    }
    FloatBuffer scales = scales(payload);
    int bytes = payload.length - length;
    for (int from = 0; from < length; from += GROUP) {
      float scale = scales.get(from / GROUP);
      if (!(scale >= 0 && scale <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException("Not a scale of int8 values: " + scale);
      }
      int to = Math.min(length, from + GROUP);
      for (int i = from; i < to; i++) {
        change[i] = payload[bytes + i] * scale;
      }
    }
  }

  static int payloadSize(int length) {
    return (length + GROUP - 1) / GROUP * Float.BYTES + length;
  }

  static FloatBuffer scales(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
  }
}
