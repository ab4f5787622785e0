package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartialRoundsTest {

  private final PartialRounds rounds = new PartialRounds();

  @Test
  void aFewPartialRoundsAreNothing() {
    for (int round = 1; round < 10; round++) {
      assertThat(rounds.made(partial(round))).isEmpty();
    }
    assertThat(rounds.made(whole(10))).isEmpty();
    assertThat(rounds.made(partial(11))).as("counts from the start").isEmpty();
  }

  @Test
  void manyInARowAreWarnedOfSeldom() {
    int warnings = 0;
    for (int round = 1; round <= 99; round++) {
      warnings += rounds.made(partial(round)).isPresent() ? 1 : 0;
    }
    assertThat(warnings).isOne();
    assertThat(rounds.made(partial(100)))
        .hasValueSatisfying(
            message ->
                assertThat(message)
                    .startsWith("The last 100 rounds lacked replicas; round 100 has 1, with 25 %"));
  }

  private static ClosedRound partial(long round) {
    return new ClosedRound(round, List.of(new Member(0, round, 5)), new Participation(0.25, 0.25));
  }

  private static ClosedRound whole(long round) {
    return new ClosedRound(round, List.of(new Member(0, round, 5)), Participation.WHOLE);
  }
}
