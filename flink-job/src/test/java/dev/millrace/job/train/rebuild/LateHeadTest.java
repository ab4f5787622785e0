package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateHeadTest {

  @ParameterizedTest
  @CsvSource({
    "'', b10 h10 @clicks 0:40+8 d, false",
    "'', @clicks 0:40+8 b10 h10 d, true",
    "'', @clicks 0:40+8 b10 d, true",
    "@clicks 0:40+8, @clicks 0:40+8 b10 h10 d, false",
    "@clicks 0:40+8, @clicks 0:40+8 0:48+8 h10 d, true",
    "'', @clicks 0:40+8 b11 h11 d, false",
    "'', @clicks x0:40+8 b10 h10 d, false",
    "'', b10 h10 @clicks 0:40+8 h10 a, false",
    "b10 h10, b10 h10 @clicks 0:40+8 h10 a, false"
  })
  void whoLearnedBeforeItHeardOfARoundIsKnownByItsLog(
      String beginning, String log, boolean isLate) {
    assertThat(new LateHead(10, 2).isIn(beginning, log)).isEqualTo(isLate);
  }
}
