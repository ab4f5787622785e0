package dev.millrace.model.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

final class FeatureStatisticsTest {

  private static final int WIDTH = 3;
  private static final int ROWS = 500;

  private Random random;

  @BeforeEach
  void seed(TestInfo test) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", test.getDisplayName(), seed);
    random = new Random(seed);
  }

  @Test
  void mergedPartsEqualTheDirectComputationFarFromZero() {
    float[] rows = rows(1e4f);
    FeatureStatistics merged = new FeatureStatistics(WIDTH);
    for (int from = 0; from < ROWS; ) {
      int n = Math.min(ROWS - from, random.nextInt(40));
      FeatureStatistics part = new FeatureStatistics(WIDTH);
      float[] some = new float[n * WIDTH];
      System.arraycopy(rows, from * WIDTH, some, 0, some.length);
      part.add(some, n);
      merged.merge(part);
      from += n;
    }

    assertThat(merged.count()).isEqualTo(ROWS);
    for (int i = 0; i < WIDTH; i++) {
      assertThat(merged.mean(i)).isCloseTo(mean(rows, i), within(1e-8));
      assertThat(merged.deviation(i)).isCloseTo(deviation(rows, i), within(1e-8));
    }
  }

  @Test
  void mergingNothingOrIntoNothingChangesNothing() {
    FeatureStatistics some = new FeatureStatistics(WIDTH);
    some.add(rows(1), ROWS);
    FeatureStatistics copy = some.copy();
    some.merge(new FeatureStatistics(WIDTH));
    some.add(new float[0], 0);
    FeatureStatistics into = new FeatureStatistics(WIDTH);
    into.merge(copy);

    assertThat(some.count()).isEqualTo(ROWS);
    for (int i = 0; i < WIDTH; i++) {
      assertThat(some.mean(i)).isEqualTo(copy.mean(i)).isEqualTo(into.mean(i));
      assertThat(some.deviation(i)).isEqualTo(copy.deviation(i)).isEqualTo(into.deviation(i));
    }
  }

  @Test
  void standardizedRowsHaveMeanZeroAndDeviationOne() {
    float[] rows = rows(5);
    FeatureStatistics statistics = new FeatureStatistics(WIDTH);
    statistics.add(rows, ROWS);
    statistics.standardization().apply(rows, ROWS);

    for (int i = 0; i < WIDTH; i++) {
      assertThat(mean(rows, i)).isCloseTo(0, within(1e-5));
      assertThat(deviation(rows, i)).isCloseTo(1, within(1e-5));
    }
  }

  @Test
  void distanceIsInDeviationsOfTheFeatureThatIsFarthestAway() {
    FeatureStatistics known =
        FeatureStatistics.of(100, new double[] {5, 0, 7}, new double[] {2, 10, 0});

    assertThat(known.distance(new FeatureStatistics(3))).isZero();
    assertThat(known.distance(of(new double[] {11, 10, 7}, new double[] {1, 1, 1}))).isEqualTo(3);
    assertThat(known.distance(of(new double[] {5, -50, 7}, new double[] {1, 1, 1}))).isEqualTo(5);
    assertThat(known.distance(of(new double[] {5, 0, 7}, new double[] {20, 1, 1}))).isEqualTo(10);
    assertThat(known.distance(of(new double[] {5, 0, 1e9}, new double[] {2, 10, 1e9})))
        .as("the last has never varied")
        .isEqualTo(1);
  }

  @Test
  void theFarthestFeatureIsThatOfTheDistance() {
    FeatureStatistics known =
        FeatureStatistics.of(100, new double[] {5, 0, 7}, new double[] {2, 10, 0});

    assertThat(known.farthest(of(new double[] {5, -50, 7}, new double[] {1, 1, 1}))).isEqualTo(1);
    assertThat(known.farthest(of(new double[] {5, 0, 7}, new double[] {20, 1, 1}))).isZero();
    assertThat(new FeatureStatistics(0).farthest(new FeatureStatistics(0))).isNegative();
  }

  private static FeatureStatistics of(double[] mean, double[] deviation) {
    return FeatureStatistics.of(10, mean, deviation);
  }

  @Test
  void whatNeverVariesIsOnlyCentred() {
    FeatureStatistics statistics = new FeatureStatistics(1);
    statistics.add(new float[] {7, 7, 7}, 3);
    float[] row = {9};
    statistics.standardization().apply(row, 1);

    assertThat(row).containsExactly(2);
  }

  @Test
  void beforeTheFirstExampleFeaturesStayAsTheyAre() {
    float[] row = {9};
    new FeatureStatistics(1).standardization().apply(row, 1);

    assertThat(row).containsExactly(9);
  }

  @Test
  void knownStatisticsWeighAsManyExamplesAsTheySay() {
    FeatureStatistics known = FeatureStatistics.of(1000, new double[] {3}, new double[] {2});
    FeatureStatistics seen = new FeatureStatistics(1);
    seen.add(new float[] {5}, 1);
    known.merge(seen);

    assertThat(known.count()).isEqualTo(1001);
    assertThat(known.mean(0)).isCloseTo((3 * 1000 + 5) / 1001.0, within(1e-12));
  }

  @Test
  void whatIsFarAwayCountsAsOneAtTheClip() {
    FeatureStatistics known = FeatureStatistics.of(1000, new double[] {5, 7}, new double[] {2, 0});
    known.setClip(10);

    FeatureStatistics seen = known.look(new float[] {1e6f, 1e6f, -1e6f, 7, 6, 7}, 3);

    assertThat(seen.count()).isEqualTo(3);
    assertThat(seen.mean(0)).isCloseTo((25 - 15 + 6) / 3.0, within(1e-12));
    assertThat(seen.mean(1)).as("it has no scale yet").isEqualTo((1e6 + 7 + 7) / 3);
    assertThat(known.count()).as("it only looks").isEqualTo(1000);
  }

  /** Before anything is known there are only the others of its minibatch. */
  @Test
  void aFirstValueThatIsFarFromTheOthersCountsAsOneAtTheBound() {
    FeatureStatistics none = new FeatureStatistics(1);
    none.setClip(10);

    FeatureStatistics first = none.look(new float[] {48, 5e7f, 52, 50, 46, 49, 54, 51}, 8);

    assertThat(first.mean(0)).isBetween(45.0, 60.0);
    assertThat(first.deviation(0)).isBetween(1.0, 20.0);
  }

  /** Nothing says how large its other values will be. */
  @Test
  void whatIsMostlyConstantCountsAsItIs() {
    FeatureStatistics none = new FeatureStatistics(1);
    none.setClip(10);

    assertThat(none.look(new float[] {0, 0, 0, 7, 0, 0, 0, 0}, 8).mean(0)).isEqualTo(7.0 / 8);
  }

  @Test
  void withoutAClipAllCountsAsItIs() {
    FeatureStatistics known = FeatureStatistics.of(1000, new double[] {5}, new double[] {2});

    assertThat(known.look(new float[] {1e6f}, 1).mean(0)).isEqualTo(1e6);
  }

  @Test
  void anExampleRaisesAVarianceByAHundredthAtMostWhereManyAreKnown() {
    for (long count : new long[] {100_000, 100_000_000}) {
      FeatureStatistics known = FeatureStatistics.of(count, new double[] {5}, new double[] {2});
      known.setClip(10);

      known.merge(known.look(new float[] {1e9f}, 1));

      assertThat(known.deviation(0)).isCloseTo(2 * Math.sqrt(1.01), within(1e-4));
    }
  }

  @Test
  void anotherScaleIsFollowedHoweverManyExamplesAreKnown() {
    for (long count : new long[] {1_000, 100_000, 100_000_000}) {
      FeatureStatistics known = FeatureStatistics.of(count, new double[] {0}, new double[] {1});
      known.setClip(10);
      for (int i = 0; i < 140; i++) {
        known.merge(
            known.look(new float[] {1e3f, -1e3f, 1e3f, -1e3f, 1e3f, -1e3f, 1e3f, -1e3f}, 8));
      }

      assertThat(known.look(new float[] {1e3f}, 1).mean(0)).as("of %d", count).isEqualTo(1e3);
    }
  }

  @Test
  void theClipIsCopiedAndNotMerged() {
    FeatureStatistics clipped = new FeatureStatistics(1);
    clipped.setClip(3);
    FeatureStatistics other = new FeatureStatistics(1);
    other.setClip(5);
    other.add(new float[] {1, 2}, 2);
    clipped.merge(other);

    assertThat(clipped.copy().clip()).isEqualTo(3);
    assertThat(clipped.standardization().clip()).isEqualTo(3);
    assertThat(new FeatureStatistics(1).clips()).isFalse();
    assertThatThrownBy(() -> other.setClip(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> other.setClip(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private float[] rows(float centre) {
    float[] rows = new float[ROWS * WIDTH];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = centre + (i % WIDTH) + (float) random.nextGaussian();
    }
    return rows;
  }

  private static double mean(float[] rows, int feature) {
    double sum = 0;
    for (int at = feature; at < rows.length; at += WIDTH) {
      sum += rows[at];
    }
    return sum / ROWS;
  }

  private static double deviation(float[] rows, int feature) {
    double mean = mean(rows, feature);
    double sum = 0;
    for (int at = feature; at < rows.length; at += WIDTH) {
      sum += (rows[at] - mean) * (rows[at] - mean);
    }
    return Math.sqrt(sum / ROWS);
  }
}
