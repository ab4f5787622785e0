package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeCheckTest {

  private final TestProcessingTimeService time = new TestProcessingTimeService();
  private final List<Long> looks = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    time.setCurrentTime(0);
  }

  @Test
  void looksUntilTheLimitIsOver() throws Exception {
    TimeCheck unused = check(Duration.ofMillis(100), 30);

    for (int now = 0; now <= 100; now++) {
      time.setCurrentTime(now);
    }

    assertThat(looks).as("every tenth").containsExactly(10L, 20L, 30L);
    assertThat(time.getNumActiveTimers()).isZero();
  }

  @Test
  void looksEveryTenSecondsAtLeast() throws Exception {
    TimeCheck unused = check(Duration.ofDays(1), Long.MAX_VALUE);

    time.setCurrentTime(10_000);
    time.setCurrentTime(20_000);

    assertThat(looks).containsExactly(10_000L, 20_000L);
  }

  @Test
  void withoutALimitItNeverLooks() {
    TimeCheck unused = check(Duration.ZERO, 0);

    assertThat(time.getNumActiveTimers()).isZero();
  }

  @Test
  void looksNoMoreOnceItHasEnded() {
    check(Duration.ofMillis(100), 30).end();
    check(Duration.ZERO, 0).end();

    assertThat(time.getNumActiveTimers()).isZero();
  }

  private TimeCheck check(Duration limit, long over) {
    return new TimeCheck(
        limit,
        time,
        now -> {
          looks.add(now);
          return now >= over;
        });
  }
}
