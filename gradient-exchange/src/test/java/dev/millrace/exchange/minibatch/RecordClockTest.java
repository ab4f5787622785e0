package dev.millrace.exchange.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RecordClockTest {

  private static final long REACH = 10;
  private static final long NOW = 1_000;

  private RecordClock clock = RecordClock.UNKNOWN.told(NOW, REACH);

  private void tell(int times, long time) {
    for (int i = 0; i < times; i++) {
      clock = clock.told(time, REACH);
    }
  }

  @Test
  void theFirstTimeIsBelievedAndLaterOnesMoveItAhead() {
    assertThat(RecordClock.UNKNOWN.isKnown()).isFalse();
    assertThat(clock).isEqualTo(RecordClock.at(NOW));
    tell(1, NOW + REACH);
    assertThat(clock.now()).isEqualTo(NOW + REACH);
    tell(1, NOW);
    assertThat(clock.now()).as("a late one").isEqualTo(NOW + REACH);
  }

  @Test
  void timesOfTheFarFutureMoveNothingHoweverManyThereAre() {
    for (int i = 0; i < 1_000; i++) {
      tell(RecordClock.RUN - 1, i % 2 == 0 ? Long.MAX_VALUE : NOW * 1_000);
      tell(1, NOW);
    }
    assertThat(clock).isEqualTo(RecordClock.at(NOW));
  }

  @Test
  void behindAGapItGoesWhereTheLastOnesAre() {
    for (int i = 0; i < RecordClock.RUN; i++) {
      assertThat(clock.now()).isEqualTo(NOW);
      // Each third is of the far future, the first and the last one, too.
      tell(1, i % 3 == 0 ? Long.MAX_VALUE : 5_000 + i);
    }
    assertThat(clock).isEqualTo(RecordClock.at(5_000 + RecordClock.RUN - 2 + REACH));
  }

  /** A slow partition and a fast one, or times that lie far apart: it doesn't stay behind. */
  @Test
  void itFollowsTheSlowestWhereTimesLieFarApart() {
    for (int i = 1; i <= 10 * RecordClock.RUN; i++) {
      tell(1, NOW + i * (2 * REACH));
      tell(1, NOW + i * (20 * REACH));
    }
    long slowest = NOW + 10 * RecordClock.RUN * (2 * REACH);
    assertThat(clock.now()).isBetween(slowest - RecordClock.RUN * REACH, slowest + REACH);
  }

  @Test
  void timesOutOfRangeCountAsTheEarliestOrTheLast() {
    clock = RecordClock.UNKNOWN.told(Long.MAX_VALUE, REACH);
    assertThat(clock.now()).isEqualTo(-RecordClock.EARLIEST);
    tell(1, Long.MIN_VALUE);
    assertThat(clock.now()).isEqualTo(-RecordClock.EARLIEST);
  }

  @Test
  void bytesBringItBack() throws IOException {
    tell(3, 9_000);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    clock.write(new DataOutputStream(bytes));
    RecordClock back =
        RecordClock.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertThat(back).isEqualTo(clock).isEqualTo(new RecordClock(NOW, 9_000, 3));
    assertThat(back.latest(RecordClock.at(NOW + 1))).isEqualTo(RecordClock.at(NOW + 1));
    assertThat(RecordClock.at(NOW - 1).latest(back)).isEqualTo(back);
  }
}
