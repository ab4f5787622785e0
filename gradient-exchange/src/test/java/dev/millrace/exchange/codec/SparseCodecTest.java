package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SparseCodecTest {

  private final Codec codec = Codec.sparse();
  private final Encoder encoder = codec.encoder(List.of());

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void losesNothing(long seed) {
    Random random = new Random(seed);
    for (double share : new double[] {0, 0.0005, 0.01, 0.1, 0.5, 0.97, 1}) {
      float[] change = Vectors.sparse(random, 5000, share);
      check(change, 1 + random.nextInt(6000), "seed " + seed + ", share " + share);
    }
    check(Vectors.bits(random, 5000), 1 + random.nextInt(6000), "seed " + seed);
    check(Vectors.SPECIAL, 4, "special values");
  }

  /** At every number of values around a byte's and a layout's border. */
  @Test
  void takesAnyNumberOfValuesInShortBlocks() {
    for (int length = 0; length < 70; length++) {
      for (int count = 0; count <= length; count++) {
        float[] change = new float[length];
        for (int i = length - count; i < length; i++) {
          change[i] = i + 1;
        }
        check(change, Math.max(1, length), length + " values");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2", // Layout and number.
    "10, 72", // Gaps of two bytes.
    "1000, 5003", // Gaps of one byte.
    "5000, 21253", // A bit a value.
    "10000, 40001", // No more than the floats and the layout.
  })
  void isAsSmallAsItCanBe(int count, int mostBytes) {
    float[] change = new float[10_000];
    for (int i = 0; i < count; i++) {
      change[i * (change.length / count)] = i + 1;
    }
    Sent sent = Sent.send(codec, encoder, change, change.length);
    assertThat(sent.bytes()).isLessThanOrEqualTo(mostBytes);
    assertThat(sent.decoded()).isEqualTo(change);
  }

  private void check(float[] change, int blockSize, String what) {
    Sent sent = Sent.send(codec, encoder, change, blockSize);
    for (int i = 0; i < change.length; i++) {
      String which = what + ", block size " + blockSize + ", value " + i + ": " + change[i];
      assertThat((double) sent.decoded()[i] + 0.0).as(which).isEqualTo(change[i] + 0.0);
      assertThat(sent.left()[i]).as(which).isZero();
    }
  }
}
