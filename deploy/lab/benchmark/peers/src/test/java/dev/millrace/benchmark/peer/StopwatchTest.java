package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopwatchTest {

  private long now = 77;

  @Test
  void countsFromTheEndOfTheWarmUpToTheEndOfTheTime() {
    Stopwatch stopwatch = new Stopwatch(Duration.ofNanos(10), Duration.ofNanos(20), () -> now);

    assertThat(at(77, stopwatch, 0)).isTrue();
    assertThat(at(86, stopwatch, 32)).isTrue();
    assertThat(at(88, stopwatch, 64)).isTrue();
    assertThat(at(107, stopwatch, 96)).isTrue();
    assertThatThrownBy(stopwatch::learned).isInstanceOf(IllegalStateException.class);
    assertThat(at(110, stopwatch, 128)).isFalse();

    assertThat(stopwatch.learned()).isEqualTo(new Learned(64, Duration.ofNanos(22)));
  }

  private boolean at(long time, Stopwatch stopwatch, long learned) {
    now = time;
    return stopwatch.goOn(learned);
  }
}
