package dev.millrace.exchange.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.LayerActivations;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EffectiveRankTest {

  @Test
  void theRankIsHowManyDirectionsAreFilledAlike() {
    assertThat(rank(2, 3, 1, 0, 0, 2, 0, 0)).isCloseTo(1, within(1e-9));
    assertThat(rank(2, 2, 1, 0, 0, 1)).isCloseTo(2, within(1e-9));
    assertThat(rank(2, 4, 1, 0, 1, 0, 0, 1, 0, 1)).isCloseTo(2, within(1e-9));
    assertThat(rank(3, 2, 0, 0, 0, 0, 0, 0)).isZero();
    // Singular values 3 and 1: shares of 3/4 and 1/4.
    double entropy = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25);
    assertThat(rank(2, 2, 3, 0, 0, 1)).isCloseTo(Math.exp(entropy), within(1e-9));
    // The same, turned: of rows as of units.
    float c = (float) Math.cos(0.7);
    float s = (float) Math.sin(0.7);
    assertThat(rank(2, 3, 3 * c, 3 * s, 0, -s, c, 0)).isCloseTo(Math.exp(entropy), within(1e-5));
    assertThat(rank(3, 2, 3 * c, -s, 3 * s, c, 0, 0)).isCloseTo(Math.exp(entropy), within(1e-5));
  }

  @Test
  void manyRandomDirectionsAreNearlyAllOfThem() {
    Random random = new Random(3);
    float[] values = new float[4_000 * 20];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    assertThat(rank(4_000, 20, values)).isBetween(19.9, 20.0);
  }

  @Test
  void ofWideLayersRowsAreTakenEvenlyApart() {
    int units = 200;
    float[] values = new float[256 * units];
    for (int row = 0; row < 256; row++) {
      values[row * units + row / 128] = 1;
    }
    assertThat(rank(256, units, values)).isCloseTo(2, within(1e-9));
  }

  private static double rank(int rows, int units, float... values) {
    return EffectiveRank.of(new LayerActivations("l", rows, units, values));
  }
}
