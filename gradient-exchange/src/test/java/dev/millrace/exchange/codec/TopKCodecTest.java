package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopKCodecTest {

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void sendsTheGreatestOfEachBlockAndLeavesTheOthers(long seed) {
    Random random = new Random(seed);
    float[] few = new float[3000];
    for (int i = 0; i < few.length; i++) {
      few[i] = (random.nextInt(5) - 2) * 0.25f;
    }
    for (double share : new double[] {1e-9, 0.001, 0.01, 0.3, 0.99, 1}) {
      for (float[] change :
          List.of(
              Vectors.gaussian(random, 3000),
              Vectors.bits(random, 3000),
              Vectors.sparse(random, 3000, 0.02),
              few,
              Vectors.SPECIAL)) {
        check(change, 1 + random.nextInt(2000), share, "seed " + seed + ", share " + share);
      }
    }
  }

  @Test
  void sendsNoZeros() {
    Codec codec = Codec.topK(0.5);
    Encoder encoder = codec.encoder(List.of());
    assertThat(Sent.send(codec, encoder, new float[1000], 1000).bytes()).isEqualTo(2);
    assertThat(Sent.send(codec, encoder, new float[] {-0f}, 1).bytes()).isEqualTo(2);

    byte[] empty = encoder.encode(0, new float[0], 0);
    codec.decode(empty, new float[0], 0);
    assertThat(empty).hasSizeLessThan(3);
  }

  @Test
  void refusesAShareThatIsNone() {
    for (double share : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> Codec.topK(share)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void check(float[] change, int blockSize, double share, String what) {
    Codec codec = Codec.topK(share);
    Sent sent = Sent.send(codec, codec.encoder(List.of()), change, blockSize);
    float[] decoded = new float[change.length];
    float[] left = change.clone();
    for (int offset = 0; offset < change.length; offset += blockSize) {
      int end = Math.min(change.length, offset + blockSize);
      IntStream.range(offset, end)
          .boxed()
          .filter(i -> change[i] != 0)
          .sorted(Comparator.comparingDouble(i -> -Math.abs(change[i])))
          .limit(Math.max(1, Math.round(share * (end - offset))))
          .forEach(
              i -> {
                decoded[i] = change[i];
                left[i] = 0;
              });
    }
    for (int i = 0; i < change.length; i++) {
      String which = what + ", block size " + blockSize + ", value " + i + ": " + change[i];
      assertThat((double) sent.decoded()[i]).as(which).isEqualTo(decoded[i] + 0.0);
      assertThat((double) sent.left()[i] + 0.0).as(which).isEqualTo(left[i] + 0.0);
    }
  }
}
