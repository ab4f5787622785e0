package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Fragment;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnContributionsTest {

  private final GlobalRounds rounds = new GlobalRounds(2);
  private final OwnContributions contributions = new OwnContributions(rounds);

  @Test
  void areIncludedWhenHeadAndAllBlocksSaySo() {
    come(1);
    accept(Standing.NONE);
    assertThat(contributions.areIncluded()).as("there are none").isTrue();

    contributions.contributed(Fragment.WHOLE);
    rounds.advance(0, 2);
    accept(new Standing(1, 1, 2));
    assertThat(contributions.areIncluded()).as("block 1 is at round 1").isFalse();
    rounds.advance(1, 2);

    assertThat(contributions.areIncluded()).isTrue();
  }

  @Test
  void blocksThatComeFirstSayNothingBeforeTheHead() {
    come(1);
    accept(Standing.NONE);
    contributions.contributed(Fragment.WHOLE);

    come(2);
    assertThat(contributions.areIncluded()).isFalse();
    accept(new Standing(1, 1, 2));

    assertThat(contributions.areIncluded()).isTrue();
  }

  @Test
  void onlyBlocksOfTheContributionAreWaitedFor() {
    come(1);
    accept(Standing.NONE);
    contributions.contributed(new Fragment(1, 2));
    accept(new Standing(1, 1, 2));
    assertThat(contributions.areIncluded()).isFalse();

    rounds.advance(1, 2);

    assertThat(contributions.areIncluded()).as("block 0 stays at round 1").isTrue();
  }

  /** As the head says, where others contribute other blocks to the round. */
  @Test
  void blocksThatTheRoundChangedBesideThemAreWaitedForToo() {
    come(1);
    accept(Standing.NONE);
    contributions.contributed(new Fragment(1, 2));
    rounds.advance(1, 2);
    contributions.accept(new Standing(1, 1, 2), List.of(new Fragment(1, 2), Fragment.WHOLE));
    assertThat(contributions.areIncluded()).isFalse();

    rounds.advance(0, 3);

    assertThat(contributions.areIncluded()).isTrue();
  }

  /** Its number's last contribution may have been of other blocks than are new to it. */
  @Test
  void aNewcomerWaitsForEachBlockOnceAndForNoRound() {
    accept(new Standing(5, 5, 9));
    rounds.advance(0, 9);
    assertThat(contributions.areIncluded()).isFalse();

    rounds.advance(1, 8);

    assertThat(contributions.areIncluded()).isTrue();
  }

  @Test
  void aNewcomerContinuesTheSequenceOfItsNumber() {
    assertThat(contributions.isNewcomer()).isTrue();

    assertThat(accept(new Standing(5, 4, 9))).isTrue();

    assertThat(contributions.next()).isEqualTo(6);
    assertThat(contributions.isNewcomer()).isFalse();
    assertThat(accept(new Standing(7, 5, 10))).isFalse();
    assertThat(contributions.next()).as("it knows its own").isEqualTo(6);
  }

  @Test
  void staleAreRoundsBetweenItsStartAndTheRoundThatIncludesIt() {
    accept(new Standing(0, 0, 3));
    assertThat(contributions.staleness()).isNegative();

    contributions.begin(3);
    contributions.contributed(Fragment.WHOLE);
    accept(new Standing(1, 0, 4));
    accept(new Standing(1, 1, 6));

    assertThat(contributions.staleness()).isEqualTo(2);
  }

  private void come(long round) {
    rounds.advance(0, round);
    rounds.advance(1, round);
  }

  private boolean accept(Standing standing) {
    return contributions.accept(standing, List.of());
  }
}
