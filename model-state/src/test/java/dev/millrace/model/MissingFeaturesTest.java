package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Statistics of features that some examples don't have. */
final class MissingFeaturesTest {

  private static final int WIDTH = 3;
  private static final int ROWS = 400;

  private Random random;
  private float[] rows;

  @BeforeEach
  void seed(TestInfo test) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", test.getDisplayName(), seed);
    random = new Random(seed);
    rows = new float[ROWS * WIDTH];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = random.nextInt(3) == 0 ? Float.NaN : 100 + (float) random.nextGaussian();
    }
  }

  @Test
  void eachFeatureHasTheMeanOfThoseThatHaveIt() {
    FeatureStatistics merged = new FeatureStatistics(WIDTH);
    for (int from = 0; from < ROWS; ) {
      int n = Math.min(ROWS - from, 1 + random.nextInt(40));
      float[] some = Arrays.copyOfRange(rows, from * WIDTH, (from + n) * WIDTH);
      merged.merge(merged.lookAtPresent(some, n));
      from += n;
    }

    assertThat(merged.count()).isEqualTo(ROWS);
    for (int i = 0; i < WIDTH; i++) {
      double[] present = present(i);
      double mean = Arrays.stream(present).average().orElseThrow();
      double variance =
          Arrays.stream(present).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
      assertThat(merged.count(i)).isEqualTo(present.length).isLessThan(ROWS);
      assertThat(merged.mean(i)).isCloseTo(mean, within(1e-9));
      assertThat(merged.deviation(i)).isCloseTo(Math.sqrt(variance), within(1e-9));
    }
  }

  private double[] present(int feature) {
    double[] present = new double[ROWS];
    int count = 0;
    for (int at = feature; at < rows.length; at += WIDTH) {
      if (!Float.isNaN(rows[at])) {
        present[count++] = rows[at];
      }
    }
    return Arrays.copyOf(present, count);
  }

  /** Nobody pays for what never happens, and nothing changes by it. */
  @Test
  void whereNothingIsMissingAllIsAsItWouldBeWithoutALook() throws IOException {
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Float.isNaN(rows[i]) ? 5 : rows[i];
    }
    FeatureStatistics known = new FeatureStatistics(WIDTH);
    known.setClip(10);
    known.add(rows, 100);

    assertThat(bytes(known.lookAtPresent(rows, ROWS))).isEqualTo(bytes(known.look(rows, ROWS)));
  }

  /** The same values with gaps have the same statistics, feature by feature, bit by bit. */
  @Test
  void gapsChangeNothingOfTheOthers() {
    float[] column = new float[60];
    float[] withGaps = new float[120];
    Arrays.fill(withGaps, Float.NaN);
    for (int i = 0; i < column.length; i++) {
      column[i] = i == 7 ? 1e9f : (float) random.nextGaussian();
      withGaps[2 * i + random.nextInt(2)] = column[i];
    }
    FeatureStatistics known = new FeatureStatistics(1);
    known.setClip(10);

    FeatureStatistics whole = known.look(column, 60);
    FeatureStatistics gaps = known.lookAtPresent(withGaps, 120);

    assertThat(gaps.count(0)).isEqualTo(60);
    assertThat(gaps.mean(0)).isEqualTo(whole.mean(0));
    assertThat(gaps.deviation(0)).isEqualTo(whole.deviation(0));
    known.merge(whole);
    FeatureStatistics other = new FeatureStatistics(1);
    other.setClip(10);
    other.merge(gaps);
    assertThat(other.standardization().mean()).isEqualTo(known.standardization().mean());
    assertThat(other.standardization().scale()).isEqualTo(known.standardization().scale());
  }

  @Test
  void aFeatureThatNobodyHasYetIsLeftAlone() {
    FeatureStatistics none = new FeatureStatistics(2);
    none.setClip(10);
    none.merge(none.lookAtPresent(new float[] {Float.NaN, 1, Float.NaN, 3}, 2));

    assertThat(none.count(0)).isZero();
    assertThat(none.mean(0)).isZero();
    assertThat(none.standardization().scale()).containsExactly(1, 1);
    assertThat(none.distance(none.copy())).isFinite();
  }

  @Test
  void bytesBringTheCountsBack() throws IOException {
    FeatureStatistics statistics = new FeatureStatistics(WIDTH);
    statistics.setClip(4);
    statistics.merge(statistics.lookAtPresent(rows, ROWS));
    byte[] bytes = bytes(statistics);

    FeatureStatistics back = FeatureStatistics.WIRE.read(Bytes.in(bytes));

    assertThat(back).usingRecursiveComparison().isEqualTo(statistics);
    assertThat(bytes(statistics.copy())).isEqualTo(bytes);
  }

  private static byte[] bytes(FeatureStatistics statistics) throws IOException {
    return Bytes.of(out -> FeatureStatistics.WIRE.write(statistics, out));
  }
}
