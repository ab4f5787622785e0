package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundWaitTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Test
  void waitsForTheTimeoutFromTheFirstContribution() {
    RoundWait wait = new RoundWait(TIMEOUT, 0);

    assertThat(wait.until(7, false, false, 1_000, () -> Duration.ZERO)).isEqualTo(6_000);
    assertThat(wait.until(7, true, false, 3_000, () -> Duration.ZERO)).isEqualTo(6_000);
    assertThat(wait.isOver(7, 5_999)).isFalse();
    assertThat(wait.isOver(7, 6_000)).isTrue();
    assertThat(wait.isOver(8, 6_000)).as("another round").isFalse();
    assertThat(wait.until(8, false, false, 7_000, () -> Duration.ZERO)).isEqualTo(12_000);
  }

  @Test
  void hasPatienceInProportionToTheTimeThatHalfOfThemTook() {
    RoundWait wait = new RoundWait(TIMEOUT, 0.5);
    wait.closed(1_000);

    assertThat(wait.until(7, false, false, 1_300, () -> Duration.ZERO))
        .as("a minority")
        .isEqualTo(6_300);
    assertThat(wait.until(7, true, false, 1_400, () -> Duration.ZERO)).isEqualTo(1_600);
    assertThat(wait.until(7, true, false, 1_500, () -> Duration.ZERO))
        .as("it doesn't grow")
        .isEqualTo(1_600);
  }

  @Test
  void theTimeoutEndsWhatPatienceWouldNot() {
    RoundWait wait = new RoundWait(TIMEOUT, 3);
    wait.closed(0);

    assertThat(wait.until(7, true, false, 10_000, () -> Duration.ZERO)).isEqualTo(15_000);
  }

  @Test
  void waitsForALastingStragglerAsLongAsHalfOfThemTook() {
    RoundWait wait = new RoundWait(TIMEOUT, 0);
    wait.closed(1_000);

    assertThat(wait.until(7, false, true, 1_300, () -> Duration.ZERO))
        .as("a minority")
        .isEqualTo(6_300);
    assertThat(wait.until(7, true, true, 1_400, () -> Duration.ZERO)).isEqualTo(1_800);
  }
}
