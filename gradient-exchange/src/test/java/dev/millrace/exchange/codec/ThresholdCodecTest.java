package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ThresholdCodecTest {

  private static final List<IndexRange> ONE = List.of(new IndexRange(0, 10_000));

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void sendsTheThresholdForEachValueThatReachesIt(long seed) {
    Random random = new Random(seed);
    for (float threshold : new float[] {Float.MIN_NORMAL, 0.001f, 0.1f, 1f, Float.MAX_VALUE}) {
      Codec codec = Codec.threshold(ThresholdRule.fixed(threshold));
      for (float[] change : List.of(Vectors.gaussian(random, 3000), Vectors.bits(random, 3000))) {
        int blockSize = 1 + random.nextInt(2000);
        List<IndexRange> segments = segments(random, change.length);
        Sent sent = Sent.send(codec, codec.encoder(segments), change, blockSize);
        for (int i = 0; i < change.length; i++) {
          String which = "seed %s, t=%s, value %s: %s".formatted(seed, threshold, i, change[i]);
          float decoded =
              Math.abs(change[i]) < threshold ? 0f : Math.copySign(threshold, change[i]);
          assertThat(sent.decoded()[i]).as(which).isEqualTo(decoded);
          assertThat(sent.left()[i]).as(which).isEqualTo(change[i] - decoded);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void aQuantileIsOfTheChangeItselfWhateverCameBefore(long seed) {
    Random random = new Random(seed);
    Codec codec = Codec.threshold(ThresholdRule.quantile(0.01));
    Encoder encoder = codec.encoder(ONE);
    for (float scale : new float[] {1, 1e-6f, 1e6f, 0, 1}) {
      float[] change = Vectors.gaussian(random, 10_000);
      for (int i = 0; i < change.length; i++) {
        change[i] *= scale;
      }

      Sent sent = Sent.send(codec, encoder, change, 10_000);

      int count = 0;
      for (int i = 0; i < change.length; i++) {
        count += sent.decoded()[i] != 0 ? 1 : 0;
        assertThat(Math.abs(sent.decoded()[i])).isLessThanOrEqualTo(Math.abs(change[i]));
      }
      assertThat(count)
          .as("seed %d, scale %s", seed, scale)
          .isBetween(scale == 0 ? 0 : 60, scale == 0 ? 0 : 150);
    }
  }

  @Test
  void aQuantileOfAFewValuesSendsMoreOfThem() {
    Codec codec = Codec.threshold(ThresholdRule.quantile(0.001));
    float[] change = new float[100];
    for (int i = 0; i < change.length; i++) {
      change[i] = i + 1;
    }

    Sent sent = Sent.send(codec, codec.encoder(List.of(new IndexRange(0, 100))), change, 100);

    for (int i = 0; i < change.length; i++) {
      assertThat(sent.decoded()[i]).isEqualTo(i + 1 >= 37 ? 37f : 0f);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void hasAThresholdForEachSegmentHoweverBlocksCutIt(long seed) {
    Random random = new Random(seed);
    List<IndexRange> segments = segments(random, 3000);
    Codec codec = Codec.threshold(ThresholdRule.fixed(1f));
    Encoder encoder = codec.encoder(segments);
    float[] thresholds = new float[segments.size()];
    for (int s = 0; s < thresholds.length; s++) {
      thresholds[s] = 0.01f + random.nextFloat();
    }
    encoder.restore(thresholds);
    float[] change = Vectors.gaussian(random, 3000);

    Sent sent = Sent.send(codec, encoder, change, 1 + random.nextInt(500));

    for (int s = 0; s < thresholds.length; s++) {
      for (int i = segments.get(s).from(); i < segments.get(s).to(); i++) {
        float t = thresholds[s];
        assertThat(sent.decoded()[i])
            .as("seed %d, segment %d, value %d: %s", seed, s, i, change[i])
            .isEqualTo(Math.abs(change[i]) < t ? 0f : Math.copySign(t, change[i]));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 3", // Length and number.
    "1, 9", // And the threshold, and a gap of two bytes.
    "100, 240",
    "2500, 2509", // Gaps, as large as the bitmap.
    "3333, 2509", // The bitmap, and from here on no more.
    "10000, 2509",
  })
  void isAsSmallAsItCanBe(int share, int mostBytes) {
    float[] change = new float[10_000];
    for (int i = 0; i < share; i++) {
      change[i * (change.length / share)] = i % 2 == 0 ? 2f : -2f;
    }
    Codec codec = Codec.threshold(ThresholdRule.fixed(1f));

    Sent sent = Sent.send(codec, codec.encoder(ONE), change, change.length);

    assertThat(sent.bytes()).isLessThanOrEqualTo(mostBytes);
    for (int i = 0; i < change.length; i++) {
      assertThat(sent.decoded()[i]).isEqualTo(change[i] / 2);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void takesTheSmallerLayout(long seed) {
    Random random = new Random(seed);
    Codec codec = Codec.threshold(ThresholdRule.fixed(1f));
    for (int n = 0; n < 200; n++) {
      float[] change = new float[4000];
      double share = 0.22 + random.nextDouble() * 0.06;
      int gaps = 0;
      int skipped = 0;
      for (int i = 0; i < change.length; i++) {
        boolean sent = (random.nextDouble() < share && i > 64) || i % 1000 == 0;
        change[i] = sent ? 1f : 0f;
        gaps += sent ? (skipped < 64 ? 1 : 2) : 0;
        skipped = sent ? 0 : skipped + 1;
      }
      int headers = 2 + 2 + 4;
      assertThat(Sent.send(codec, codec.encoder(ONE), change, change.length).bytes())
          .as("seed %d, share %s, gaps of %d bytes", seed, share, gaps)
          .isEqualTo(headers + Math.min(gaps, change.length / 4));
    }
  }

  @Test
  void anEmptyBlockIsNoBytes() {
    Codec codec = Codec.threshold(ThresholdRule.fixed(1f));
    assertThat(codec.encoder(List.of()).encode(0, new float[0], 0)).isEmpty();
    codec.decode(new byte[0], new float[0], 0);
  }

  @Test
  void refusesWhatCannotBe() {
    Codec codec = Codec.threshold(ThresholdRule.fixed(1f));
    assertThatThrownBy(() -> codec.encoder(List.of(new IndexRange(1, 2))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.encoder(ONE).encode(9_999, new float[2], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond");
  }

  private static List<IndexRange> segments(Random random, int length) {
    List<IndexRange> segments = new ArrayList<>();
    int from = 0;
    while (from < length) {
      int to = Math.min(length, from + random.nextInt(700));
      segments.add(new IndexRange(from, to));
      from = to;
    }
    return segments;
  }
}
