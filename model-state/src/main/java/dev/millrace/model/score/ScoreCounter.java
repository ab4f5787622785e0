package dev.millrace.model.score;

import java.util.Arrays;

/**
 * Counts scores as they come. Nothing is allocated for an example; the memory, 64 KB, is taken with
 * the first one.
 *
 * <p>Not thread-safe.
 */
public final class ScoreCounter {

  private static final long[] NOTHING = new long[0];

  private long[] counts = NOTHING;

  /** One example; {@code score} is what it was predicted to be positive with, from 0 to 1. */
  public void add(float score, boolean positive) {
    room();
    counts[2 * ScoreCounts.BINS.of(score) + (positive ? 1 : 0)]++;
  }

  public void add(ScoreCounts more) {
    if (!more.isEmpty()) {
      room();
      more.into(counts, 1);
    }
  }

  /** Takes away what was added before. */
  public void subtract(ScoreCounts some) {
    if (!some.isEmpty()) {
      some.into(counts, -1);
    }
  }

  /** Returns what has been counted so far. */
  public ScoreCounts counts() {
    int length = 0;
    for (long count : counts) {
      length += count == 0 ? 0 : 1;
    }
    if (length == 0) {
      return ScoreCounts.NONE;
    }
    int[] cells = new int[length];
    long[] those = new long[length];
    for (int cell = 0, i = 0; cell < counts.length; cell++) {
      if (counts[cell] != 0) {
        cells[i] = cell;
        those[i++] = counts[cell];
      }
    }
    return new ScoreCounts(cells, those);
  }

  /** Forgets all. */
  public void clear() {
    Arrays.fill(counts, 0);
  }

  private void room() {
    if (counts.length == 0) {
      counts = new long[ScoreCounts.CELLS];
    }
  }
}
