package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Measures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentMeasuresTest {

  @Test
  void theWindowIsTheNewestRoundsThatCoverIt() {
    RecentMeasures recent = new RecentMeasures(5);
    for (int round = 0; round < 10; round++) {
      recent.add(new Measures(2, 1, round, 0, 0));
    }

    assertThat(recent.sum()).isEqualTo(new Measures(6, 3, 7 + 8 + 9, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e30, Double.POSITIVE_INFINITY, Double.NaN})
  void anOutlierIsForgottenWhenItLeavesTheWindow(double outlier) {
    RecentMeasures recent = new RecentMeasures(4);
    recent.add(new Measures(2, 1, outlier, outlier, outlier));
    for (int round = 0; round < 3; round++) {
      recent.add(new Measures(2, 1, 0.5, 0.25, 0.125));
    }

    assertThat(recent.sum()).isEqualTo(new Measures(4, 2, 1, 0.5, 0.25));
  }
}
