package dev.millrace.model.features;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StandardizationTest {

  /** Plain DL4J, which doesn't clip, sees the same values there. */
  @Test
  void whatIsWithinTheClipStaysBitByBit() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    float[] mean = {3, -1e5f};
    float[] scale = {0.3f, 7e3f};
    float[] rows = new float[2_000];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = mean[i % 2] + scale[i % 2] * (float) (8 * random.nextGaussian());
    }
    float[] clipped = rows.clone();

    new Standardization(mean, scale).apply(rows, rows.length / 2);
    new Standardization(mean, scale, 10).apply(clipped, rows.length / 2);

    int beyond = 0;
    for (int i = 0; i < rows.length; i++) {
      float expected = Math.abs(rows[i]) <= 10 ? rows[i] : Math.copySign(10, rows[i]);
      assertThat(clipped[i]).as("seed %d, value %d", seed, i).isEqualTo(expected);
      beyond += Math.abs(rows[i]) > 10 ? 1 : 0;
    }
    assertThat(beyond).as("seed %d", seed).isPositive();
  }

  @Test
  void whatOverflowsIsClippedAndWhatIsNoNumberStaysNone() {
    float[] rows = {Float.MAX_VALUE, -Float.MAX_VALUE, Float.NaN, 1};

    new Standardization(new float[] {-Float.MAX_VALUE}, new float[] {1e-3f}, 10).apply(rows, 3);

    assertThat(rows).containsExactly(10, 0, Float.NaN, 1);
  }
}
