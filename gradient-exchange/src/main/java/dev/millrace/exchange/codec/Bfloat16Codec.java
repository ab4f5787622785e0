package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;

/**
 * The upper half of each float (bfloat16), rounded to the nearest; to one of the two nearest where
 * its magnitude is below 2⁻¹⁰⁹. What decodes and what is left add up to the change exactly.
 *
 * <p>The payload: little-endian words of two values each, chunk by chunk of {@value
 * FloatBits#CHUNK} values, the last one shorter. In a chunk of m values, word i of the ⌈m/2⌉ has
 * value i in its lower half and value ⌈m/2⌉ + i in its upper one, zero where there is none.
 */
final class Bfloat16Codec implements Codec {

  @Override
  public String name() {
    return "bfloat16";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new Bfloat16Encoder();
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    if (payload.length != payloadSize(length)) {
      throw new IllegalArgumentException(
          "A block of %s values in bfloat16 can't come from %s bytes"
              .formatted(length, payload.length));
    }
    if (length % 2 == 1 && (payload[payload.length - 1] | payload[payload.length - 2]) != 0) {
      throw new IllegalArgumentException(
          "A block of %s values in bfloat16 has one more".formatted(length));
    }
    FloatBits chunk = new FloatBits();
    int[] words = new int[FloatBits.CHUNK / 2];
    int[] upper = new int[FloatBits.CHUNK / 2];
    IntBuffer from = words(payload);
    for (int at = 0; at < length; at += FloatBits.CHUNK) {
      int count = Math.min(FloatBits.CHUNK, length - at);
      int half = (count + 1) / 2;
      from.get(at / 2, words, 0, half);
      for (int i = 0; i < half; i++) {
        upper[i] = words[i] & 0xffff0000;
        words[i] <<= 16;
      }
      chunk.putBits(0, words, half);
      chunk.putBits(half, upper, count - half);
      chunk.getFloats(change, at, count);
    }
  }

  static int payloadSize(int length) {
    return (length + 1) / 2 * Integer.BYTES;
  }

  static IntBuffer words(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
  }
}
