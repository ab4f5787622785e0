package dev.millrace.exchange.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitWatchTest {

  private final TestProcessingTimeService timers = new TestProcessingTimeService();
  private final LoggedWaits log = new LoggedWaits();
  private Optional<String> wait = Optional.empty();

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void aWaitIsToldOnceAMinuteForAsLongAsItLasts() throws Exception {
    WaitWatch unused = WaitWatch.start(timers, () -> wait);
    minutePasses();
    wait = Optional.of("Round 3 waits for replica 1");

    minutePasses();
    assertThat(log.told()).as("it may have begun a moment ago").isEmpty();
    minutePasses();
    assertThat(log.told())
        .containsExactly(
            "Round 3 waits for replica 1; it has waited for that for a minute or more");
    minutePasses();
    assertThat(log.told()).hasSize(2);

    wait = Optional.empty();
    minutePasses();
    assertThat(log.told()).hasSize(2);
  }

  @Test
  void waitsForOneThingAfterTheOtherAreNone() throws Exception {
    WaitWatch unused = WaitWatch.start(timers, () -> wait);

    for (int round = 1; round < 9; round++) {
      wait = Optional.of("Round " + round);
      minutePasses();
    }

    assertThat(log.told()).isEmpty();
  }

  @Test
  void whatHasStoppedWaitsForNothing() throws Exception {
    WaitWatch watch = WaitWatch.start(timers, () -> Optional.of("Round 1"));
    minutePasses();

    watch.stop();
    minutePasses();

    assertThat(log.told()).isEmpty();
    assertThat(timers.getNumActiveTimers()).isZero();
  }

  private void minutePasses() throws Exception {
    timers.advance(LoggedWaits.INTERVAL.toMillis());
  }
}
