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

  @Test
  void updatesHaveATimeOfTheirOwn() {
    PublicationPlan plan =
        new PublicationPlan(0, 0, Duration.ofSeconds(10), Duration.ofSeconds(4), false);
    PublicationClock clock = new PublicationClock(plan, START);

    assertThat(clock.of(1, START + 3 * SECOND)).isEmpty();
    assertThat(clock.of(2, START + 5 * SECOND)).containsExactly(Purpose.UPDATE);
    assertThat(clock.of(3, START + 8 * SECOND)).isEmpty();
    assertThat(clock.of(4, START + 10 * SECOND))
        .containsExactlyInAnyOrder(Purpose.UPDATE, Purpose.RELEASE);
    assertThat(clock.of(5, START + 13 * SECOND)).isEmpty();
    assertThat(clock.of(6, START + 14 * SECOND)).containsExactly(Purpose.UPDATE);
  }

  @Test
  void aCheckpointUpdatesWhatNoRoundDid() {
    PublicationPlan plan = new PublicationPlan(0, 0, Duration.ZERO, Duration.ofSeconds(4), true);
    PublicationClock clock = new PublicationClock(plan, START);
    assertThat(clock.of(1, START + 5 * SECOND)).containsExactly(Purpose.UPDATE);
    assertThat(clock.ofCheckpoint(1, START + 6 * SECOND)).isEmpty();

    assertThat(clock.of(2, START + 6 * SECOND)).isEmpty();
    assertThat(clock.ofCheckpoint(2, START + 7 * SECOND)).containsExactly(Purpose.UPDATE);
    assertThat(clock.ofCheckpoint(2, START + 20 * SECOND)).isEmpty();
  }

  @Test
  void aCheckpointReleasesWhatNoRoundDid() {
    PublicationPlan plan = new PublicationPlan(0, 0, Duration.ofSeconds(10), true);
    PublicationClock clock = new PublicationClock(plan, START);

    assertThat(clock.ofCheckpoint(0, START + 11 * SECOND)).as("nothing is learned").isEmpty();
    assertThat(clock.of(1, START + 12 * SECOND)).containsExactly(Purpose.RELEASE);
    assertThat(clock.of(2, START + 13 * SECOND)).isEmpty();
    assertThat(clock.ofCheckpoint(2, START + 21 * SECOND)).as("too early").isEmpty();
    assertThat(clock.ofCheckpoint(2, START + 22 * SECOND)).containsExactly(Purpose.RELEASE);
    assertThat(clock.ofCheckpoint(2, START + 99 * SECOND)).as("released already").isEmpty();
  }

  @Test
  void aCheckpointReleasesNothingWhereTimeDoesNot() {
    PublicationPlan plan = new PublicationPlan(0, 4, Duration.ZERO, true);

    assertThat(new PublicationClock(plan, START).ofCheckpoint(3, START + SECOND)).isEmpty();
  }
}
