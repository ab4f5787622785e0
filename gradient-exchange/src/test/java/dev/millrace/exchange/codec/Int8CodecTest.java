package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Int8CodecTest {

  private static final int GROUP = 256;

  private final Codec codec = Codec.int8();
  private final Encoder encoder = codec.encoder(List.of());

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void isWithinHalfAStepOfEachValueAndLeavesTheRest(long seed) {
    Random random = new Random(seed);
    check(Vectors.gaussian(random, 5000), 1 + random.nextInt(2000), "seed " + seed);
    check(Vectors.bits(random, 5000), 1 + random.nextInt(2000), "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 257, 511, 512, 513})
  void takesBlocksOfAnyLength(int length) {
    check(Vectors.gaussian(new Random(length), length), length, "length " + length);
  }

  @ParameterizedTest
  @ValueSource(
      floats = {Encoder.GREATEST, 0x1.fdfffep127f, 1.5e-36f, 1.4e-36f, 1e-40f, Float.MIN_VALUE})
  void takesValuesAtTheEndsOfTheRange(float greatest) {
    float[] change = {greatest, -greatest, greatest / 2, -greatest / 127, 0f, -0f};
    check(change, change.length, "greatest " + greatest);
  }

  @Test
  void roundsTiesToEven() {
    float[] change = {127f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f};

    Sent sent = Sent.send(codec, encoder, change, change.length);

    assertThat(sent.decoded()).containsExactly(127f, 0f, 2f, 2f, 0f, -2f, -2f);
    assertThat(sent.left()).containsExactly(0f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f, -0.5f);
  }

  @Test
  void zerosDecodeToZeros() {
    Sent sent = Sent.send(codec, encoder, new float[1000], 300);

    assertThat(sent.decoded()).containsOnly(0f);
    assertThat(sent.left()).containsOnly(0f);
    assertThat(encoder.encode(0, new float[0], 0)).isEmpty();
  }

  private void check(float[] change, int blockSize, String what) {
    Sent sent = Sent.send(codec, encoder, change, blockSize);
    for (int i = 0; i < change.length; i++) {
      int block = i / blockSize * blockSize;
      int from = block + (i - block) / GROUP * GROUP;
      int to = Math.min(change.length, Math.min(block + blockSize, from + GROUP));
      double greatest = 0;
      for (float value : Arrays.copyOfRange(change, from, to)) {
        greatest = Math.max(greatest, Math.abs((double) value));
      }
      double step = greatest / 127 < Float.MIN_NORMAL ? 2 * greatest : greatest / 127;
      double rounding = Math.ulp(change[i]);
      String which = what + ", block size " + blockSize + ", value " + i + ": " + change[i];
      assertThat(Math.abs((double) change[i] - sent.decoded()[i]))
          .as(which)
          .isLessThanOrEqualTo(step / 2 * 1.0001 + rounding);
      assertThat(Math.abs((double) change[i] - sent.decoded()[i] - sent.left()[i]))
          .as("%s, decoded and left %s", which, sent.left()[i])
          .isLessThanOrEqualTo(rounding);
    }
    int groups = change.length / GROUP + 2 * sent.payloads().size();
    assertThat(sent.bytes()).isLessThanOrEqualTo(change.length + Float.BYTES * groups);
  }
}
