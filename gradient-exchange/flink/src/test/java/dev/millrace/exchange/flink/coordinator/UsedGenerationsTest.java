package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class UsedGenerationsTest {

  @Test
  void aNewJobTakesTheFirst() throws IOException {
    assertThat(UsedGenerations.NONE.next(0, false, 0)).isZero();
  }

  @Test
  void aRestoreTakesTheNext() throws IOException {
    assertThat(UsedGenerations.NONE.next(4, true, 0)).isEqualTo(5);
  }

  /** They may have published models, and have left no trace in the state. */
  @Test
  void attemptsThatFailedBeforeAreSkipped() throws IOException {
    assertThat(UsedGenerations.NONE.next(0, false, 2)).isEqualTo(2);
    assertThat(UsedGenerations.NONE.next(4, true, 2)).isEqualTo(7);
  }

  @Test
  void whatHasBeenPublishedIsNeverTakenAgain() throws IOException {
    UsedGenerations published = () -> 9;

    assertThat(published.next(0, false, 0)).isEqualTo(10);
    assertThat(published.next(4, true, 2)).isEqualTo(10);
    assertThat(published.next(9, true, 2)).isEqualTo(12);
  }
}
