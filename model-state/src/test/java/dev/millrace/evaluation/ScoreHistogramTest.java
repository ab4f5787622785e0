package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.score.ScoreBins;
import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScoreHistogramTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 10_000})
  void binsAreInTheOrderOfScores(int outputs) {
    ScoreBins bins = ScoreBins.forHistograms(outputs);
    int last = 0;
    float least = 0;
    for (float score = 0; score <= 1; score = Math.nextUp(score + score / 1000)) {
      int bin = bins.of(score);
      assertThat(bin).as("bin of %s", score).isBetween(last, bins.count() - 1);
      assertThat(bins.floor(bin)).as("floor of %s", score).isBetween(least, score);
      last = bin;
      least = bins.floor(bin);
    }
    assertThat(bins.of(0)).isZero();
    assertThat(bins.of(1)).isEqualTo(bins.count() - 1);
    assertThat(bins.of(Math.nextDown(1f))).isEqualTo(bins.count() - 2);
    assertThat(bins.of(-0.1f)).isZero();
    assertThat(bins.of(1.1f)).isEqualTo(bins.count() - 1);
  }

  @Test
  void confidentScoresKeepTheirOrder() {
    ScoreHistogram histogram = histogram();
    histogram.add(1 - 0x1p-20f, true);
    histogram.add(1 - 0x1p-19f, false);
    histogram.add(0x1p-30f, true);
    histogram.add(0x1p-31f, false);

    assertThat(histogram.area()).isEqualTo(0.75);
    assertThat(histogram.margin()).isZero();
  }

  @Test
  void equalScoresCountByHalf() {
    ScoreHistogram histogram = histogram();
    for (int i = 0; i < 3; i++) {
      histogram.add(0.5f, true);
      histogram.add(0.5f, false);
    }

    assertThat(histogram.area()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 3, 7})
  void theMarginHoldsWhateverTheScores(double shift) {
    long seed = Seeds.next();
    Random random = new Random(seed);
    ScoreHistogram histogram = histogram();
    float[] positives = new float[500];
    float[] negatives = new float[700];
    for (int i = 0; i < negatives.length; i++) {
      negatives[i] = sigmoid(2 * random.nextGaussian() - shift);
      histogram.add(negatives[i], false);
    }
    for (int i = 0; i < positives.length; i++) {
      positives[i] = sigmoid(2 * random.nextGaussian() + 1 - shift);
      histogram.add(positives[i], true);
    }

    assertThat(histogram.margin()).as("seed %d", seed).isLessThan(0.005);
    assertThat(histogram.area())
        .as("seed %d", seed)
        .isCloseTo(area(positives, negatives), within(histogram.margin() + 1e-12));
  }

  @Test
  void theCurveGoesFromOneCornerToTheOther() {
    ScoreHistogram histogram = histogram();
    histogram.add(0.75f, true);
    histogram.add(0.5f, false);
    histogram.add(0.25f, true);
    histogram.add(0, false);
    RocCurve curve = histogram.curve();

    assertThat(curve.thresholds()).containsExactly(1, 0.75f - 0.00390625f, 0.5, 0.25, 0);
    assertThat(curve.falsePositiveRates()).containsExactly(0, 0, 0.5, 0.5, 1);
    assertThat(curve.truePositiveRates()).containsExactly(0, 0.5, 0.5, 1, 1);
  }

  @Test
  void aCurveHasAtMostAFewHundredPoints() {
    ScoreHistogram histogram = histogram();
    for (int i = 0; i < 100_000; i++) {
      histogram.add(i / 100_000f, i % 3 == 0);
    }

    assertThat(histogram.curve().thresholds().length).isBetween(50, 202);
    assertThat(Arrays.stream(histogram.curve().falsePositiveRates()).max()).hasValue(1);
  }

  private static ScoreHistogram histogram() {
    return new ScoreHistogram(ScoreBins.forHistograms(1));
  }

  private static float sigmoid(double x) {
    return (float) (1 / (1 + Math.exp(-x)));
  }

  private static double area(float[] positives, float[] negatives) {
    double sum = 0;
    for (float positive : positives) {
      for (float negative : negatives) {
        sum += positive > negative ? 1 : positive == negative ? 0.5 : 0;
      }
    }
    return sum / ((double) positives.length * negatives.length);
  }
}
