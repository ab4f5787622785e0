package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTimesTest {

  private final StepTimes times = new StepTimes();

  @Test
  void aPauseMakesNoStraggler() {
    contributeAll(5, 100, 100);
    add(1, 100);
    add(0, 8_000);
    add(1, 100);

    assertThat(times.haveStraggler()).isFalse();
  }

  @Test
  void whoeverStaysFarSlowerThanTheMedianIsAStraggler() {
    contributeAll(2, 100, 1_000);
    assertThat(times.haveStraggler()).as("two slow contributions").isFalse();

    contributeAll(1, 100, 1_000);

    assertThat(times.haveStraggler()).isTrue();
  }

  @Test
  void whoeverIsAsFastAsTheOthersAgainIsNone() {
    contributeAll(9, 100, 1_000);

    contributeAll(1, 100, 100);

    assertThat(times.haveStraggler()).isFalse();
  }

  @Test
  void replicasThatAreSlowAlikeAreNone() {
    contributeAll(9, 1_000, 1_900);

    assertThat(times.haveStraggler()).isFalse();
  }

  @Test
  void aReplicaAloneIsNone() {
    for (int i = 0; i < 9; i++) {
      add(0, 1_000);
    }

    assertThat(times.haveStraggler()).isFalse();
  }

  @Test
  void besideOneThatHasJustBegunThereIsNone() {
    for (int i = 0; i < 3; i++) {
      add(0, 100);
    }

    add(1, 100);

    assertThat(times.haveStraggler()).isFalse();
  }

  @Test
  void whoeverHasEndedIsNone() {
    contributeAll(9, 100, 1_000);

    times.forget(3);

    assertThat(times.haveStraggler()).isFalse();
  }

  private void contributeAll(int contributions, long each, long ofLast) {
    for (int i = 0; i < contributions; i++) {
      add(0, each);
      add(1, each);
      add(2, each);
      add(3, ofLast);
    }
  }

  private void add(int replica, long step) {
    times.add(replica, new Phases(3, 3 * step, 0, 0, 0, 0));
  }
}
