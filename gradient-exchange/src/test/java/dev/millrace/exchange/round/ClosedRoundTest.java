package dev.millrace.exchange.round;

import static dev.millrace.exchange.round.TestDecisions.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.schedule.Fragment;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedRoundTest {

  private static final Fragment FIRST = new Fragment(0, 2);
  private static final Fragment SECOND = new Fragment(1, 2);

  @Test
  void allBlocksAreToldOfMembersThatCoverAll() {
    ClosedRound round =
        round(Participation.WHOLE, member(0, Fragment.WHOLE, 10), member(2, Fragment.WHOLE, 30));

    assertThat(round.decisions(2, true))
        .containsExactly(
            new Decision(0, 7, members(0, 2), Participation.WHOLE, true),
            new Decision(1, 7, members(0, 2), Participation.WHOLE, true));
    assertThat(round.fragments()).containsExactly(Fragment.WHOLE);
  }

  @Test
  void aRoundOfAFragmentPassesByTheOthers() {
    ClosedRound round = round(Participation.WHOLE, member(0, SECOND, 10), member(2, SECOND, 30));

    assertThat(round.decisions(4, false))
        .extracting(Decision::members)
        .containsExactly(members(), members(0, 2), members(), members(0, 2));
    assertThat(round.decisions(4, false).get(3).participation()).isEqualTo(Participation.WHOLE);
    assertThat(round.fragments()).containsExactly(SECOND);
  }

  /** Of usual examples; here of a round that lacks half of the replicas anyway. */
  @Test
  void toABlockMembersThatDoNotCoverItAreMissing() {
    ClosedRound round =
        round(
            new Participation(0.5, 0.5),
            member(0, FIRST, 10),
            member(1, SECOND, 30),
            member(2, Fragment.WHOLE, 40));

    List<Decision> decisions = round.decisions(2, false);

    assertThat(decisions)
        .extracting(Decision::members)
        .containsExactly(members(0, 2), members(1, 2));
    assertThat(decisions.get(0).participation().share()).isEqualTo(50 / 160.0);
    assertThat(decisions.get(0).participation().size()).isEqualTo(50 / 160.0);
    assertThat(decisions.get(1).participation().share()).isEqualTo(70 / 160.0);
    assertThat(round.fragments()).containsExactly(FIRST, SECOND, Fragment.WHOLE);
  }

  private static Member member(int replica, Fragment fragment, double weight) {
    return new Member(replica, 5, fragment, weight, weight);
  }

  private static ClosedRound round(Participation participation, Member... members) {
    return new ClosedRound(7, List.of(members), participation);
  }
}
