package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.ContributionSequences;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.FeatureStatistics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnContributionsTest {

  private static final int INDEX = 3;

  private final OwnContributions contributions = new OwnContributions(INDEX, 2);

  @Test
  void areIncludedWhenHeadAndAllBlocksSaySo() {
    contributions.accept(head(1, 0, 0));
    assertThat(contributions.areIncluded()).as("there are none").isTrue();

    contributions.contributed();
    contributions.acceptBlock(0, 1);
    contributions.accept(head(2, 1, 1));
    assertThat(contributions.areIncluded()).isFalse();
    contributions.acceptBlock(1, 1);

    assertThat(contributions.areIncluded()).isTrue();
  }

  @Test
  void aNewcomerContinuesTheSequenceOfItsNumber() {
    assertThat(contributions.isNewcomer()).isTrue();

    assertThat(contributions.accept(head(9, 4, 5))).isTrue();

    assertThat(contributions.next()).isEqualTo(6);
    assertThat(contributions.isNewcomer()).isFalse();
    assertThat(contributions.accept(head(10, 5, 7))).isFalse();
    assertThat(contributions.next()).as("it knows its own").isEqualTo(6);
  }

  @Test
  void staleAreRoundsBetweenItsStartAndTheRoundThatIncludesIt() {
    contributions.accept(head(3, 0, 0));
    assertThat(contributions.staleness()).isNegative();

    contributions.begin(3);
    contributions.contributed();
    contributions.accept(head(4, 0, 1));
    contributions.accept(head(6, 1, 1));

    assertThat(contributions.staleness()).isEqualTo(2);
  }

  private static RoundHead head(long round, long included, long announced) {
    return new RoundHead(
        round,
        0,
        new FeatureStatistics(0),
        ContributionSequences.NONE.with(INDEX, included),
        ContributionSequences.NONE.with(INDEX, announced),
        Map.of(),
        1,
        false);
  }
}
