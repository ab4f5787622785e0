package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.model.BlockLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Global blocks of the updater's state, which are taken in together: those of a round when all of
 * them have come. Adam's two moments of a value are in different blocks. If a step were made
 * between the coming of the first and of the second, where a gradient has been for the first time,
 * it would divide by a root of nothing.
 *
 * <p>Blocks of parameters have no such bond, and are taken in as they come.
 *
 * <p>Not thread-safe.
 */
final class StateUpdates {

  private final GlobalRounds taken;
  private final int first;
  private final BlockUpdate[] waiting;
  private long newest = -1;

  /** Blocks that wait with the newest round, or were taken in with it. */
  private int atNewest;

  /** Nothing waits; {@code taken} says what has been taken in. */
  StateUpdates(BlockLayout layout, GlobalRounds taken) {
    this.taken = taken;
    int block = 0;
    while (block < layout.count() && layout.parameters(block) > 0) {
      block++;
    }
    this.first = block;
    this.waiting = new BlockUpdate[layout.count() - first];
  }

  /** Whether it is a block of updater state. */
  boolean concern(int block) {
    return block >= first;
  }

  /**
   * A block has come.
   *
   * @return all that are to be taken in now, in their order; maybe none
   */
  List<BlockUpdate> add(BlockUpdate update) {
    int block = update.block();
    BlockUpdate known = waiting[block - first];
    if (update.round() <= Math.max(taken.of(block), known == null ? -1 : known.round())) {
      return List.of();
    }
    waiting[block - first] = update;
    if (update.round() > newest) {
      newest = update.round();
      atNewest = countAtNewest();
    } else if (update.round() == newest) {
      atNewest++;
    }
    return atNewest == waiting.length ? takeAll() : List.of();
  }

  private int countAtNewest() {
    int count = 0;
    for (int i = 0; i < waiting.length; i++) {
      boolean waits = waiting[i] != null && waiting[i].round() == newest;
      if (waits || taken.of(first + i) >= newest) {
        count++;
      }
    }
    return count;
  }

  private List<BlockUpdate> takeAll() {
    List<BlockUpdate> all = new ArrayList<>();
    for (int i = 0; i < waiting.length; i++) {
      if (waiting[i] != null) {
        all.add(waiting[i]);
        waiting[i] = null;
      }
    }
    return all;
  }
}
