package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Bfloat16CodecTest {

  private static final float TINY = 0x1p-109f;

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
      String which = "%s, block size %s, value %s: %s".formatted(what, blockSize, i, change[i]);
      double left = Math.abs((double) change[i] - sent.decoded()[i]);
      assertThat(left).as(which).isLessThanOrEqualTo(greatestLeft(change[i]));
      assertThat(Math.copySign(1, sent.decoded()[i]))
          .as(which)
          .isEqualTo(Math.copySign(1, change[i]));
      assertThat((double) sent.left()[i])
          .as("left of %s", which)
          .isEqualTo((double) change[i] - sent.decoded()[i] + 0.0);
    }
    assertThat(sent.bytes()).isLessThanOrEqualTo(2 * change.length + 2 * sent.payloads().size());
  }

  /** Half of the distance of the two nearest values of bfloat16; all of it for the tiniest. */
  private static double greatestLeft(float value) {
    int exponent = Math.max(Math.getExponent(value), Float.MIN_EXPONENT);
    return Math.abs(value) < TINY
        ? 2 * Math.scalb(1.0, exponent - 8)
        : Math.scalb(1.0, exponent - 8);
  }
}
