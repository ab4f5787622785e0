package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TwoBitTopKCodecTest {

  private static final int LENGTH = 3000;

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void sendsTheGreatestOfEachSegmentWithTheirSignsAndLeavesTheRest(long seed) {
    Random random = new Random(seed);
    for (double share : new double[] {1e-9, 0.001, 0.01, 0.3, 1}) {
      for (float[] change :
          List.of(
              Vectors.gaussian(random, LENGTH),
              Vectors.bits(random, LENGTH),
              Vectors.sparse(random, LENGTH, 0.02))) {
        check(change, 1 + random.nextInt(2000), share, "seed " + seed + ", share " + share);
      }
    }
  }

  private static void check(float[] change, int blockSize, double share, String what) {
    List<IndexRange> segments =
        List.of(new IndexRange(0, 1100), new IndexRange(1100, 1101), new IndexRange(1101, LENGTH));
    Codec codec = Codec.twoBitTopK(share);
    Sent sent = Sent.send(codec, codec.encoder(segments), change, blockSize);
    for (int offset = 0; offset < LENGTH; offset += blockSize) {
      int end = Math.min(LENGTH, offset + blockSize);
      for (IndexRange segment : segments) {
        int from = Math.max(offset, segment.from());
        int to = Math.min(end, segment.to());
        if (from < to) {
          checkPiece(change, sent, from, to, share, what + ", " + from + " to " + to);
        }
      }
    }
  }

  private static void checkPiece(
      float[] change, Sent sent, int from, int to, double share, String what) {
    int most = (int) Math.max(1, Math.round(share * (to - from)));
    float[] ordered = new float[to - from];
    for (int i = from; i < to; i++) {
      ordered[i - from] = -Math.abs(change[i]);
    }
    Arrays.sort(ordered);
    float least = -ordered[most - 1];
    int count = 0;
    for (int i = from; i < to; i++) {
      String which = what + ", value " + i + ": " + change[i];
      float decoded = sent.decoded()[i];
      double rounding = Math.ulp(Math.max(Math.abs(change[i]), Math.abs(decoded)));
      assertThat((double) decoded + sent.left()[i] - change[i])
          .as(which)
          .isBetween(-rounding, rounding);
      if (decoded != 0) {
        count++;
        assertThat(Math.abs(change[i])).as(which).isGreaterThanOrEqualTo(least).isPositive();
        assertThat(Math.signum(decoded)).as(which).isEqualTo(Math.signum(change[i]));
      } else {
        assertThat(sent.left()[i]).as(which).isEqualTo(change[i]);
      }
    }
    assertThat(Arrays.stream(magnitudes(sent.decoded(), from, to)).distinct().count())
        .as(what)
        .isLessThanOrEqualTo(2);
    if (least >= 1e-30f) {
      assertThat(count).as(what).isEqualTo(most);
    }
  }

  private static double[] magnitudes(float[] values, int from, int to) {
    double[] magnitudes = new double[to - from];
    for (int i = from; i < to; i++) {
      magnitudes[i - from] = Math.abs(values[i]);
    }
    return Arrays.stream(magnitudes).filter(magnitude -> magnitude > 0).toArray();
  }

  @Test
  void theTwoMagnitudesAreTheMeansOfSmallAndGreatValues() {
    float[] change = {1, -2, 3, -100, 104, 0.5f, 0.25f, 0};
    Codec codec = Codec.twoBitTopK(5 / 8.0);
    Encoder encoder = codec.encoder(List.of(new IndexRange(0, 8)));

    Sent sent = Sent.send(codec, encoder, change, 8);

    assertThat(sent.decoded()).containsExactly(2, -2, 2, -102, 102, 0, 0, 0);
    assertThat(sent.left()).containsExactly(-1, 0, 1, 2, 2, 0.5f, 0.25f, 0);
  }

  /** Gaps of random places take their entropy and a few percent, signs and magnitudes two bits. */
  @Test
  void takesHardlyMoreThanTheEntropyOfPlacesAndTwoBits() {
    int length = 1 << 14;
    for (double share : new double[] {0.001, 0.005, 0.02, 0.1, 0.3}) {
      float[] change = Vectors.gaussian(new Random(1), length);
      Codec codec = Codec.twoBitTopK(share);
      byte[] payload = codec.encoder(List.of(new IndexRange(0, length))).encode(0, change, length);
      double entropy =
          -(share * Math.log(share) + (1 - share) * Math.log(1 - share)) / Math.log(2) / share;
      assertThat(payload.length - 10)
          .as("share %s", share)
          .isLessThan((int) (1.05 * share * length * (entropy + 2) / 8));
    }
  }

  @Test
  void sendsNoZerosAndNothingTooSmallForAMagnitude() {
    Codec codec = Codec.twoBitTopK(0.5);
    Encoder encoder = codec.encoder(List.of(new IndexRange(0, 1000)));
    assertThat(Sent.send(codec, encoder, new float[1000], 1000).bytes()).isEqualTo(3);
    float[] tiny = new float[1000];
    Arrays.fill(tiny, Float.MIN_VALUE);
    Sent sent = Sent.send(codec, encoder, tiny, 1000);
    assertThat(sent.bytes()).isEqualTo(3);
    assertThat(sent.left()).containsOnly(Float.MIN_VALUE);

    assertThat(encoder.encode(0, new float[0], 0)).isEmpty();
  }

  @Test
  void refusesAShareThatIsNone() {
    for (double share : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> Codec.twoBitTopK(share))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
