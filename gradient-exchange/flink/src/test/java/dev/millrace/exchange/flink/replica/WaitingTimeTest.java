package dev.millrace.exchange.flink.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingTimeTest {

  private static final long MILLI = 1_000_000;

  private long now = Long.MAX_VALUE - MILLI;
  private final WaitingTime waiting = new WaitingTime(() -> now);

  @Test
  void waitsFromTheBeginning() {
    now += 5 * MILLI;

    assertThat(waiting.millis()).isEqualTo(5);
  }

  @Test
  void countsWaitsOnly() {
    now += 5 * MILLI;
    waiting.set(false);
    now += 100 * MILLI;
    waiting.set(true);
    now += 2 * MILLI;
    waiting.set(false);
    now += 100 * MILLI;

    assertThat(waiting.millis()).isEqualTo(7);
  }

  @Test
  void sayingTheSameTwiceChangesNothing() {
    waiting.set(true);
    now += 3 * MILLI;
    waiting.set(true);
    now += 3 * MILLI;

    assertThat(waiting.millis()).isEqualTo(6);
  }
}
