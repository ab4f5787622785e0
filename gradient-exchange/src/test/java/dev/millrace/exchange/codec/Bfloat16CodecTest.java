package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Bfloat16CodecTest {

  private static final float LARGEST = 0x1.fep127f;

  private final Codec codec = Codec.bfloat16();
  private final Encoder encoder = codec.encoder(List.of());

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void roundsToTheNearestAndLeavesTheRest(long seed) {
    Random random = new Random(seed);
    check(Vectors.bits(random, 5000), 1 + random.nextInt(3000), "seed " + seed);
    check(Vectors.gaussian(random, 5000), 1 + random.nextInt(3000), "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 1023, 1024, 1025, 2047, 2048, 2049})
  void takesBlocksOfAnyLength(int length) {
    check(Vectors.gaussian(new Random(length), length), length, "length " + length);
  }

  @Test
  void takesValuesAtTheEndsOfTheRange() {
    check(Vectors.SPECIAL, Vectors.SPECIAL.length, "special values");
  }

  @Test
  void anEmptyBlockIsNoBytes() {
    assertThat(encoder.encode(0, new float[0], 0)).isEmpty();
    codec.decode(new byte[0], new float[0], 0);
  }

  private void check(float[] change, int blockSize, String what) {
    Sent sent = Sent.send(codec, encoder, change, blockSize);
    for (int i = 0; i < change.length; i++) {
      assertThat(Float.floatToRawIntBits(sent.decoded()[i]))
          .as("%s, block size %d, value %d: %s", what, blockSize, i, change[i])
          .isEqualTo(Float.floatToRawIntBits(nearest(change[i])));
      assertThat((double) sent.left()[i])
          .as("%s, block size %d, left of value %d: %s", what, blockSize, i, change[i])
          .isEqualTo((double) change[i] - sent.decoded()[i] + 0.0);
    }
    assertThat(sent.bytes()).isLessThanOrEqualTo(2 * change.length + 2 * sent.payloads().size());
  }

  private static float nearest(float value) {
    float toZero = Float.intBitsToFloat(Float.floatToRawIntBits(value) & 0xffff0000);
    if (Math.abs(toZero) == LARGEST) {
      return toZero;
    }
    float away = Float.intBitsToFloat(Float.floatToRawIntBits(toZero) + 0x10000);
    double down = Math.abs((double) value - toZero);
    double up = Math.abs((double) away - value);
    if (down == up) {
      boolean even = (Float.floatToRawIntBits(toZero) & 0x10000) == 0;
      return even ? toZero : away;
    }
    return down < up ? toZero : away;
  }
}
