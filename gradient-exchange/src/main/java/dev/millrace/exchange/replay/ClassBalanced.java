package dev.millrace.exchange.replay;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** See {@link Keep#CLASS_BALANCED}. */
final class ClassBalanced implements KeepRule {

  /** The examples that were offered, by class. */
  private final long[] offered;

  /**
   * Whether a class has been the largest, or one of them, since there is no more room; by class.
   */
  private final boolean[] full;

  ClassBalanced(int classes) {
    this.offered = new long[classes];
    this.full = new boolean[classes];
  }

  @Override
  public int place(ReplayRows rows, long seen, int label, SplitMixRandom draws) {
    offered[label]++;
    if (rows.size() < rows.capacity()) {
      // Again, after a rescale or a refusal: what was full before says nothing of today's rows.
      Arrays.fill(full, false);
      return rows.size();
    }
    int largest = largest(rows);
    for (int other = 0; other < full.length; other++) {
      full[other] |= rows.ofClass(other) == rows.ofClass(largest);
    }
    int kept = rows.ofClass(label);
    if (!full[label] || kept == 0) {
      return rows.rowOfClass(largest, draws.below(rows.ofClass(largest)));
    }
    // A reservoir within the class.
    long row = draws.longBelow(Math.max(offered[label], kept));
    return row < kept ? rows.rowOfClass(label, (int) row) : NOWHERE;
  }

  /** The first of several. */
  private int largest(ReplayRows rows) {
    int largest = 0;
    for (int label = 1; label < full.length; label++) {
      largest = rows.ofClass(label) > rows.ofClass(largest) ? label : largest;
    }
    return largest;
  }

  /** Takes as many rows of each class as of any other, where it has them, and draws which. */
  @Override
  public void choose(
      ReplayRows rows, double[] shares, int room, SplitMixRandom draws, boolean[] stays) {
    int[] left = new int[full.length];
    for (int label = 0; label < left.length; label++) {
      left[label] = rows.ofClass(label);
    }
    int[] wanted = levelled(left, room);
    for (int row = 0; row < rows.size(); row++) {
      int label = rows.label(row);
      stays[row] = draws.below(left[label]--) < wanted[label];
      wanted[label] -= stays[row] ? 1 : 0;
    }
  }

  /** The largest are cut off at one level; what room is left then has one more of the last. */
  private static int[] levelled(int[] counts, int room) {
    int level = 0;
    int step = Integer.highestOneBit(Math.max(1, room));
    for (; step > 0; step /= 2) {
      level += sum(counts, level + step) <= room ? step : 0;
    }
    int more = room - (int) sum(counts, level);
    int[] levelled = new int[counts.length];
    for (int label = counts.length - 1; label >= 0; label--) {
      boolean one = counts[label] > level && more-- > 0;
      levelled[label] = Math.min(counts[label], one ? level + 1 : level);
    }
    return levelled;
  }

  private static long sum(int[] counts, int level) {
    return Arrays.stream(counts).mapToLong(count -> Math.min(count, level)).sum();
  }

  /**
   * Writes the counts of each class in proportion to its rows; of a class without rows, all with
   * the first.
   */
  @Override
  public void write(ReplayRows rows, int from, int to, DataOutput out) throws IOException {
    int[] before = new int[full.length];
    int[] upTo = new int[full.length];
    for (int row = 0; row < to; row++) {
      upTo[rows.label(row)]++;
      before[rows.label(row)] += row < from ? 1 : 0;
    }
    int known = 0;
    for (long count : offered) {
      known += count > 0 ? 1 : 0;
    }
    out.writeInt(known);
    for (int label = 0; label < offered.length; label++) {
      if (offered[label] > 0) {
        out.writeInt(label);
        out.writeLong(
            rows.ofClass(label) == 0
                ? (from == 0 ? offered[label] : 0)
                : Shares.of(offered[label], before[label], upTo[label], rows.ofClass(label)));
        out.writeBoolean(full[label]);
      }
    }
  }

  @Override
  public void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      int label = in.readInt();
      offered[label] += in.readLong();
      full[label] |= in.readBoolean();
    }
  }
}
