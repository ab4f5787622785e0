package dev.millrace.exchange.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void numbersAreSummedUpAndCountedInBinsOfOneWidth() {
    Distribution distribution = of(-1, 0, 0.05f, 3, 3, 1);

    assertThat(distribution.count()).isEqualTo(6);
    assertThat(distribution.mean()).isCloseTo(6.05 / 6, within(1e-8));
    assertThat(distribution.magnitude()).isCloseTo(8.05 / 6, within(1e-8));
    assertThat(distribution.deviation()).isCloseTo(1.66746, within(1e-5));
    assertThat(distribution.low()).isEqualTo(-1);
    assertThat(distribution.high()).isEqualTo(3);
    // Bins are 0.2 wide.
    assertThat(distribution.bins()).hasSize(Distribution.BINS);
    assertThat(distribution.bins().get(0)).isEqualTo(1);
    assertThat(distribution.bins().get(5)).isEqualTo(2);
    assertThat(distribution.bins().get(10)).isEqualTo(1);
    assertThat(distribution.bins().get(19)).isEqualTo(2);
  }

  @Test
  void equalNumbersAreInTheFirstBin() {
    Distribution distribution = of(7, 7, 7);

    assertThat(distribution.deviation()).isZero();
    assertThat(distribution.bins().get(0)).isEqualTo(3);
  }

  @Test
  void ofOneNumberThereIsNoDeviation() {
    assertThat(of(7).deviation()).isZero();
  }

  @Test
  void whatIsNotFiniteIsLeftOut() {
    float nan = Float.NaN;
    float infinite = Float.NEGATIVE_INFINITY;

    assertThat(of(nan, 1, infinite, 3)).isEqualTo(of(1, 3));
    assertThat(of(nan)).isEqualTo(Distribution.NONE);
    assertThat(of()).isEqualTo(Distribution.NONE);
  }

  @Test
  void whatIsBehindTheLengthIsNotLookedAt() {
    assertThat(Distribution.of(new float[] {1, 2, 99}, 2)).isEqualTo(of(1, 2));
  }

  /** Beyond the range of a float their difference is infinite. */
  @Test
  void theWidestRangeHasBins() {
    float most = Float.MAX_VALUE;

    assertThat(of(-most, 0, most).bins())
        .isEqualTo(
            IntStream.range(0, Distribution.BINS)
                .mapToObj(bin -> bin == 0 || bin == 10 || bin == 19 ? 1 : 0)
                .toList())
        .isNotEqualTo(Collections.emptyList());
  }

  private static Distribution of(float... values) {
    return Distribution.of(values, values.length);
  }
}
