package dev.millrace.exchange.log;

import java.util.BitSet;

/**
 * What a replica was told of one round, between two things that it did: blocks, or the head.
 *
 * @param round which one
 * @param blocks empty for the head
 */
record ToldBlocks(long round, BitSet blocks) {

  boolean isHead() {
    return blocks.isEmpty();
  }

  /** Writes {@code h12} for a head; for blocks {@code b12}, or {@code b12/0-3,7} if not all. */
  void write(StringBuilder text, int all) {
    text.append(isHead() ? 'h' : 'b').append(round);
    if (isHead() || blocks.cardinality() == all) {
      return;
    }
    char before = '/';
    for (int from = blocks.nextSetBit(0); from >= 0; ) {
      int to = blocks.nextClearBit(from);
      text.append(before).append(from);
      if (to - from > 1) {
        text.append('-').append(to - 1);
      }
      before = ',';
      from = blocks.nextSetBit(to);
    }
  }

  /**
   * Reads the blocks that {@link #write} wrote behind the round.
   *
   * @param text what follows the slash; null where it is all of them
   * @throws IllegalArgumentException if the text is something else
   */
  static BitSet parse(String text, int all) {
    BitSet blocks = new BitSet();
    if (text == null) {
      blocks.set(0, all);
      return blocks;
    }
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
      if (to < from || to >= all) {
        throw new IllegalArgumentException(
            "'%s' are no blocks of a model that has %s".formatted(part, all));
      }
      blocks.set(from, to + 1);
    }
    return blocks;
  }
}
