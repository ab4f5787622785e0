package dev.millrace.exchange.log;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Collects what a replica is told between two things that it does. Blocks of one round are in no
 * order: each has values of its own.
 *
 * <p>Where only the newest counts, older ones are left out, so that a replica that waits for long
 * tells little. Not thread-safe.
 */
final class TellingLog {

  private final int blocks;
  private final List<ToldBlocks> told = new ArrayList<>();
  private boolean newestCounts;

  /** {@code blocks} are those of the model. */
  TellingLog(int blocks) {
    this.blocks = blocks;
  }

  /**
   * The replica was told a block.
   *
   * @param newestAlone whether what it was told before changes nothing any more
   */
  void block(int block, long round, boolean newestAlone) {
    begin(newestAlone);
    if (newestCounts) {
      told.removeIf(before -> leaveOut(before, block));
    }
    ofRound(round, block).blocks().set(block);
  }

  /** Returns where a block is to be added. */
  private ToldBlocks ofRound(long round, int block) {
    // Where the newest counts alone, it doesn't matter what came first.
    int oldest = newestCounts ? 0 : Math.max(0, told.size() - 1);
    for (int at = told.size() - 1; at >= oldest; at--) {
      ToldBlocks one = told.get(at);
      if (!one.isHead() && one.round() == round && !one.blocks().get(block)) {
        return one;
      }
    }
    ToldBlocks next = new ToldBlocks(round, new BitSet(blocks));
    told.add(next);
    return next;
  }

  /** Leaves a block out; true if nothing is left. */
  private static boolean leaveOut(ToldBlocks before, int block) {
    if (before.isHead()) {
      return false;
    }
    before.blocks().clear(block);
    // Without blocks it would be a head.
    return before.isHead();
  }

  /** The replica was told a head, see {@link #block}. */
  void head(long round, boolean newestAlone) {
    begin(newestAlone);
    if (newestCounts) {
      told.removeIf(ToldBlocks::isHead);
    }
    told.add(new ToldBlocks(round, new BitSet()));
  }

  private void begin(boolean newestAlone) {
    // What came before it began to count alone isn't left out.
    newestCounts = newestAlone && (newestCounts || told.isEmpty());
  }

  boolean isEmpty() {
    return told.isEmpty();
  }

  /** Writes all of it, each in front of a space, and forgets it. */
  void write(StringBuilder text) {
    for (ToldBlocks one : told) {
      one.write(text, blocks);
      text.append(' ');
    }
    told.clear();
  }
}
