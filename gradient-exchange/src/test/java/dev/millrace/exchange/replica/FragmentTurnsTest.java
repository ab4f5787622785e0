package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentTurnsTest {

  private static final Schedule IN_THREE = Schedule.every(3, true).inFragments(3);
  private static final BlockLayout LAYOUT = new BlockLayout(4, 1, 4, List.of());

  private final FragmentTurns turns = new FragmentTurns(IN_THREE, LAYOUT);
  private final BlockWeights weights = new BlockWeights(LAYOUT.count());

  @Test
  void theRoundSaysWhoseTurnItIsAlsoAfterAFewThatWereMissed() {
    assertThat(List.of(contribute(0), contribute(1), contribute(2), contribute(3)))
        .containsExactly(0, 1, 2, 0);
    assertThat(contribute(5)).isEqualTo(2);
    assertThat(contribute(6)).isZero();
  }

  /** As of a replica that is late in every other round. */
  @Test
  void aFragmentThatMissesItsTurnsComesFirstInTheEnd() {
    int[] last = new int[3];
    for (int contribution = 1; contribution < 100; contribution++) {
      last[contribute(3L * contribution)] = contribution;
      for (int fragment = 0; fragment < 3; fragment++) {
        assertThat(contribution - last[fragment]).isLessThanOrEqualTo(8);
      }
    }
  }

  @Test
  void moreFragmentsThanBlocksAreRefused() {
    BlockLayout small = new BlockLayout(2, 1, 2, List.of());

    assertThatThrownBy(() -> new FragmentTurns(IN_THREE, small))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 blocks");
  }

  @Test
  void updaterStateInFragmentsIsRefused() {
    BlockLayout withState = new BlockLayout(8, 1, 4, List.of());

    assertThatThrownBy(() -> new FragmentTurns(IN_THREE, withState))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("with updater state");
  }

  private int contribute(long round) {
    Fragment next = turns.next(round, weights);
    weights.contributed(next, 1, true, block -> false);
    return next.number();
  }
}
