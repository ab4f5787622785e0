package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.model.BlockLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two blocks of parameters, and three of updater state. */
class StateUpdatesTest {

  private static final BlockLayout LAYOUT = new BlockLayout(10, 2, 4, List.of());

  private final GlobalRounds taken = new GlobalRounds(LAYOUT.count());
  private final StateUpdates updates = new StateUpdates(LAYOUT, taken);

  @Test
  void onlyUpdaterStateIsHeldBack() {
    assertThat(updates.concern(0)).isFalse();
    assertThat(updates.concern(1)).isFalse();
    assertThat(updates.concern(2)).isTrue();
    assertThat(updates.concern(4)).isTrue();
  }

  @Test
  void blocksOfARoundAreTakenInTogether() {
    assertThat(add(2, 1)).isEmpty();
    assertThat(add(4, 1)).isEmpty();
    assertThat(add(4, 1)).as("what is known").isEmpty();

    assertThat(add(3, 1)).containsExactly(2, 3, 4);

    assertThat(add(2, 1)).as("what is taken in").isEmpty();
    assertThat(add(2, 2)).isEmpty();
  }

  @Test
  void whereANewerRoundOvertakesAllWaitForIt() {
    assertThat(add(2, 1)).isEmpty();
    assertThat(add(3, 2)).isEmpty();
    assertThat(add(4, 1)).isEmpty();
    assertThat(add(2, 2)).isEmpty();

    assertThat(add(4, 2)).containsExactly(2, 3, 4);
  }

  /** As after a restore from a checkpoint that was made while a round was coming. */
  @Test
  void whatIsTakenInAlreadyIsNotWaitedFor() {
    taken.advance(3, 5);
    taken.advance(2, 4);
    taken.advance(4, 4);

    assertThat(add(3, 5)).as("what is taken in").isEmpty();
    assertThat(add(2, 5)).isEmpty();
    assertThat(add(4, 5)).containsExactly(2, 4);
  }

  /** Which blocks are taken in then. */
  private List<Integer> add(int block, long round) {
    List<BlockUpdate> now =
        updates.add(new BlockUpdate(block, round, new float[LAYOUT.size(block)]));
    now.forEach(update -> assertThat(taken.advance(update.block(), update.round())).isTrue());
    return now.stream().map(BlockUpdate::block).toList();
  }
}
