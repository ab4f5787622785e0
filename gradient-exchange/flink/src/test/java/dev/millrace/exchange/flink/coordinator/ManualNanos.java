package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.NanoClock;
import java.time.Duration;

/** Time passes when a test says so. */
final class ManualNanos implements NanoClock {

  private long now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

  @Override
  public long getAsLong() {
    return now;
  }

  void advance(Duration time) {
    now += time.toNanos();
  }
}
