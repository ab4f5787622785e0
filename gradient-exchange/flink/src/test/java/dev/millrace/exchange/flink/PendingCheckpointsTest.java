package dev.millrace.exchange.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingCheckpointsTest {

  private final PendingCheckpoints<String> pending = new PendingCheckpoints<>();

  @Test
  void aValueCountsOnceWhenItsCheckpointCompletes() {
    pending.add(3, "three");

    assertThat(pending.complete(2)).isEmpty();
    assertThat(pending.complete(3)).contains("three");
    assertThat(pending.complete(3)).isEmpty();
  }

  @Test
  void aCompleteCheckpointStandsForThoseBeforeIt() {
    pending.add(1, "one");
    pending.add(2, "two");
    pending.add(4, "four");

    assertThat(pending.complete(3)).contains("two");
    assertThat(pending.complete(2)).isEmpty();
    assertThat(pending.complete(4)).contains("four");
  }

  @Test
  void anAbortedCheckpointStandsForNothing() {
    pending.add(1, "one");
    pending.add(2, "two");

    pending.abort(2);
    pending.abort(5);

    assertThat(pending.complete(2)).contains("one");
  }
}
