package dev.millrace.cli.describe;

import dev.millrace.fields.IdHash;
import java.util.BitSet;

/**
 * Estimates how many distinct words there are, beyond what can be kept: by linear counting, within
 * a few percent for up to a million, in 16 KiB.
 *
 * <p>Not thread-safe.
 */
final class DistinctCount {

  private static final int CELLS = 1 << 17;

  private final IdHash hash = new IdHash("");
  private final BitSet cells = new BitSet(CELLS);

  void add(String word) {
    cells.set((int) (hash.of(word) & CELLS - 1));
  }

  /** Returns the estimate. */
  long estimate() {
    double empty = Math.max(1, CELLS - cells.cardinality());
    return Math.round(-CELLS * Math.log(empty / CELLS));
  }
}
