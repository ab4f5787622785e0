package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdRuleTest {

  private static final int LENGTH = 4000;
  private static final List<IndexRange> SEGMENTS =
      List.of(new IndexRange(0, 1500), new IndexRange(1500, LENGTH));

  @ParameterizedTest
  @ValueSource(floats = {1e-4f, 30f})
  void adaptsUntilTheShareIsInItsRange(float first) {
    ThresholdRule rule = ThresholdRule.adaptive(first, 1e-3, 1e-2, 0.9);
    double share = shareAfter(rule, 300);
    assertThat(share).isBetween(1e-3, 1e-2);
  }

  @ParameterizedTest
  @ValueSource(floats = {1e-4f, 30f})
  void comesNearTheTarget(float first) {
    double share = shareAfter(ThresholdRule.target(first, 0.01, 0.95), 400);
    assertThat(share).isBetween(0.005, 0.02);
  }

  @Test
  void movesByOneStepAChangeAndOnlyOutsideItsRange() {
    ThresholdRule rule = ThresholdRule.adaptive(1f, 0.1, 0.2, 0.5);
    assertThat(rule.next(4f, 0.09)).isEqualTo(2f);
    assertThat(rule.next(4f, 0.1)).isEqualTo(4f);
    assertThat(rule.next(4f, 0.2)).isEqualTo(4f);
    assertThat(rule.next(4f, 0.21)).isEqualTo(8f);
    assertThat(ThresholdRule.fixed(3f).next(3f, 1)).isEqualTo(3f);
    assertThat(ThresholdRule.adaptive())
        .isEqualTo(ThresholdRule.adaptive(1e-4f, 1e-4, 1e-2, Math.pow(0.5, 0.05)));
  }

  @Test
  void countsAllBlocksOfASegmentAndAdaptsOnceTheChangeIsComplete() {
    Encoder encoder =
        Codec.threshold(ThresholdRule.adaptive(1f, 0.4, 0.4, 0.5))
            .encoder(List.of(new IndexRange(0, 4), new IndexRange(4, 6)));

    // Half of the first segment's, none of the second's.
    encoder.encode(0, new float[] {1f, 1f, 0f}, 3);
    encoder.encode(3, new float[] {0f, 0.5f, 0f}, 3);

    assertThat(encoder.save()).containsExactly(1f, 1f);
    encoder.complete();
    assertThat(encoder.save()).containsExactly(2f, 0.5f);
    encoder.encode(0, new float[] {1f, 1f, 0f, 0f, 0f, 1f}, 6);
    encoder.complete();
    assertThat(encoder.save()).as("counted from zero").containsExactly(1f, 1f);
  }

  @Test
  void aSegmentThatDoesNotChangeKeepsItsThreshold() {
    Encoder encoder = Codec.threshold(ThresholdRule.adaptive()).encoder(SEGMENTS);
    float[] change = new float[LENGTH];
    change[2000] = 1e-9f;

    encoder.encode(0, change, LENGTH);
    encoder.complete();
    encoder.complete();

    assertThat(encoder.save()[0]).isEqualTo(1e-4f);
    assertThat(encoder.save()[1]).isEqualTo((float) (1e-4f * Math.pow(0.5, 0.05)));
  }

  @Test
  void theThresholdStaysANormalFloat() {
    Encoder shrinking = Codec.threshold(ThresholdRule.target(1f, 1, 0.001)).encoder(SEGMENTS);
    Encoder growing = Codec.threshold(ThresholdRule.target(1f, 0, 0.001)).encoder(SEGMENTS);
    for (int step = 0; step < 30; step++) {
      float[] change = new float[LENGTH];
      change[0] = Float.MIN_VALUE;
      shrinking.encode(0, change, LENGTH);
      shrinking.complete();
      change[0] = Float.MAX_VALUE;
      growing.encode(0, change, LENGTH);
      growing.complete();
    }
    assertThat(shrinking.save()[0]).isEqualTo(Float.MIN_NORMAL);
    assertThat(growing.save()[0]).isEqualTo(Float.MAX_VALUE);
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void goesOnFromWhatWasSaved(long seed) {
    Random random = new Random(seed);
    Codec codec = Codec.threshold(ThresholdRule.target(0.1f, 0.01, 0.7));
    Encoder first = codec.encoder(SEGMENTS);
    for (int step = 0; step < 5; step++) {
      Sent.send(codec, first, Vectors.gaussian(random, LENGTH), 900);
      first.complete();
    }
    Encoder second = codec.encoder(SEGMENTS);
    second.restore(first.save());
    for (int step = 0; step < 5; step++) {
      float[] change = Vectors.gaussian(random, LENGTH);
      List<byte[]> payloads = Sent.send(codec, first, change, 900).payloads();
      assertThat(Sent.send(codec, second, change, 900).payloads())
          .as("seed %d, step %d", seed, step)
          .usingElementComparator(Arrays::compare)
          .isEqualTo(payloads);
      first.complete();
      second.complete();
    }
  }

  @Test
  void leavesAsideWhatIsNotItsOwn() {
    Encoder encoder = Codec.threshold(ThresholdRule.fixed(1f)).encoder(SEGMENTS);
    encoder.restore(new float[0]);
    encoder.restore(new float[] {2f, 2f, 2f});
    encoder.restore(new float[] {2f, 0f});
    encoder.restore(new float[] {2f, Float.NaN});
    assertThat(encoder.save()).containsExactly(1f, 1f);
  }

  /** Not of what came before: the same after a restore. */
  @ParameterizedTest
  @CsvSource({"0, 0.25", "500, 0.0354", "1000, 0.005", "9000, 0.005"})
  void aWarmUpBeginsDenseAndEndsAtTheShare(long examples, double share) {
    int length = 100_000;
    Encoder encoder =
        Codec.threshold(ThresholdRule.quantile(0.005, 1_000))
            .encoder(List.of(new IndexRange(0, length)));
    encoder.learned(examples);
    float[] left = Vectors.gaussian(new Random(7), length);
    float[] change = left.clone();

    assertThat(encoder.encode(0, left, length)).isNotEmpty();

    int sent = 0;
    for (int i = 0; i < length; i++) {
      sent += left[i] == change[i] ? 0 : 1;
    }
    assertThat((double) sent / length).isCloseTo(share, withinPercentage(30));
  }

  @Test
  void aDenseShareNeedsNoWarmUp() {
    float[] change = {4, 3, 2, 1};
    Sample sample = new Sample();
    sample.take(change, 0, 4);

    assertThat(ThresholdRule.quantile(1, 1_000).of(sample, 9, 0)).isEqualTo(1);
  }

  @Test
  void refusesWhatCannotBe() {
    assertRefused(() -> ThresholdRule.fixed(0f));
    assertRefused(() -> ThresholdRule.fixed(Float.NaN));
    assertRefused(() -> ThresholdRule.fixed(Float.POSITIVE_INFINITY));
    assertRefused(() -> ThresholdRule.adaptive(1f, 0.2, 0.1, 0.5));
    assertRefused(() -> ThresholdRule.adaptive(1f, 0.1, 1.1, 0.5));
    assertRefused(() -> ThresholdRule.target(1f, 0.1, 1));
    assertRefused(() -> ThresholdRule.quantile(0));
    assertRefused(() -> ThresholdRule.quantile(0.1, -1));
  }

  private static void assertRefused(ThrowingCallable rule) {
    assertThatThrownBy(rule).isInstanceOf(IllegalArgumentException.class);
  }

  /** Of the values of the last of several changes, what is left being part of the next. */
  private static double shareAfter(ThresholdRule rule, int changes) {
    Random random = new Random(5);
    Encoder encoder = Codec.threshold(rule).encoder(SEGMENTS);
    float[] left = new float[LENGTH];
    int sent = 0;
    for (int change = 0; change < changes; change++) {
      for (int i = 0; i < LENGTH; i++) {
        left[i] += (float) random.nextGaussian() * 0.01f;
      }
      float[] before = left.clone();
      encoder.encode(0, left, LENGTH);
      encoder.complete();
      sent = 0;
      for (int i = 0; i < LENGTH; i++) {
        sent += left[i] == before[i] ? 0 : 1;
      }
    }
    return (double) sent / LENGTH;
  }
}
