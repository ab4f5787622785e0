package dev.millrace.exchange.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PublicationClockTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long START = Long.MAX_VALUE - SECOND;

  @Test
  void theTimeCountsFromTheStartAndThenFromEachRelease() {
    PublicationPlan plan = new PublicationPlan(0, 0, Duration.ofSeconds(10), false);
    PublicationClock clock = new PublicationClock(plan, START);

    assertThat(clock.of(1, START + 9 * SECOND)).isEmpty();
    assertThat(clock.of(2, START + 11 * SECOND)).containsExactly(Purpose.RELEASE);
    assertThat(clock.of(3, START + 20 * SECOND)).isEmpty();
    assertThat(clock.of(4, START + 21 * SECOND)).containsExactly(Purpose.RELEASE);
  }

  @Test
  void aModelThatIsOnlyMeasuredIsNoRelease() {
    PublicationPlan plan = new PublicationPlan(1, 0, Duration.ofSeconds(10), false);
    PublicationClock clock = new PublicationClock(plan, START);

    assertThat(clock.of(1, START + 9 * SECOND)).containsExactly(Purpose.MEASURE);
    assertThat(clock.of(2, START + 10 * SECOND))
        .containsExactlyInAnyOrder(Purpose.MEASURE, Purpose.RELEASE);
  }
}
