package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlobalRoundsTest {

  private final GlobalRounds rounds = new GlobalRounds(2);

  @Test
  void areCompleteWhenEveryBlockHasCome() {
    assertThat(rounds.advance(1, 4)).isTrue();
    assertThat(rounds.advance(1, 5)).isTrue();
    assertThat(rounds.areComplete()).isFalse();
    assertThat(rounds.oldest()).isNegative();

    rounds.advance(0, 3);

    assertThat(rounds.areComplete()).isTrue();
    assertThat(rounds.oldest()).isEqualTo(3);
  }

  @Test
  void whatIsNotNewerIsLeftAlone() {
    rounds.advance(0, 3);

    assertThat(rounds.advance(0, 3)).isFalse();
    assertThat(rounds.advance(0, 2)).isFalse();
    assertThat(rounds.advance(0, 4)).isTrue();
  }

  @Test
  void whatIsForgottenIsTakenAgain() {
    rounds.advance(0, 3);
    rounds.advance(1, 3);

    rounds.forget();

    assertThat(rounds.areComplete()).isFalse();
    assertThat(rounds.advance(0, 3)).isTrue();
  }

  @Test
  void continueWhereTheyWere() {
    GlobalRounds restored = new GlobalRounds(2);
    restored.restore(new long[] {3, -1});

    assertThat(restored.areComplete()).isFalse();
    assertThat(restored.advance(0, 3)).isFalse();
    restored.advance(1, 4);
    assertThat(restored.areComplete()).isTrue();
    assertThat(restored.oldest()).isEqualTo(3);
  }
}
