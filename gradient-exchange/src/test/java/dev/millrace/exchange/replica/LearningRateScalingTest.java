package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearningRateScalingTest {

  @ParameterizedTest
  @CsvSource({
    "NONE, 0.25, 4, 1, 1",
    "LINEAR, 0.25, 1, 0.25, 0.25",
    "SQUARE_ROOT, 0.25, 1, 0.5, 0.5",
    "AUTO, 0.25, 1, 0.25, 0.5",
    "AUTO, 4, 1, 4, 2",
    "AUTO, 1, 1, 1, 1",
  })
  void followsAReplicasShareOfAStep(
      LearningRateScaling scaling,
      double share,
      int averaged,
      double proportional,
      double adaptive) {
    assertThat(scaling.ofProportional(share, averaged)).isEqualTo(proportional);
    assertThat(scaling.ofAdaptive(share, averaged)).isEqualTo(adaptive);
  }

  /** As one step of plain gradient descent from all examples. */
  @ParameterizedTest
  @CsvSource({"0.25, 4, 1, 2", "1, 4, 4, 4"})
  void makesUpForTheDivisionOfAMean(
      double share, int averaged, double proportional, double adaptive) {
    assertThat(LearningRateScaling.AUTO.ofProportional(share, averaged)).isEqualTo(proportional);
    assertThat(LearningRateScaling.AUTO.ofAdaptive(share, averaged)).isEqualTo(adaptive);
  }
}
