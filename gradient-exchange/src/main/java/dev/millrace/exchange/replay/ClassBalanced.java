package dev.millrace.exchange.replay;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** See {@link Keep#CLASS_BALANCED}. */
final class ClassBalanced implements KeepRule {

  /** By class, the examples that were offered. */
  private final long[] offered;

  /** By class, whether it has been the largest, or one of them, since there is no more room. */
  private final boolean[] full;

  private final int[] kept;

  ClassBalanced(int classes) {
    this.offered = new long[classes];
    this.full = new boolean[classes];
    this.kept = new int[classes];
  }

  @Override
  public int place(ReplayRows rows, long seen, int label, Draws draws) {
    offered[label]++;
    if (rows.size() < rows.capacity()) {
      // Again, after a rescale or a refusal: what was full before says nothing of today's rows.
      Arrays.fill(full, false);
      return rows.size();
    }
    count(rows);
    int largest = largest();
    for (int other = 0; other < kept.length; other++) {
      full[other] |= kept[other] == kept[largest];
    }
    if (!full[label] || kept[label] == 0) {
      return rows.ofClass(largest, draws.below(kept[largest]));
    }
    // A reservoir within the class.
    long row = draws.longBelow(Math.max(offered[label], kept[label]));
    return row < kept[label] ? rows.ofClass(label, (int) row) : NOWHERE;
  }

  private void count(ReplayRows rows) {
    Arrays.fill(kept, 0);
    for (int row = 0; row < rows.size(); row++) {
      kept[rows.label(row)]++;
    }
  }

  /** The first of several. */
  private int largest() {
    int largest = 0;
    for (int label = 1; label < kept.length; label++) {
      largest = kept[label] > kept[largest] ? label : largest;
    }
    return largest;
  }

  @Override
  public void choose(ReplayRows rows, double[] shares, int room, Draws draws, boolean[] stays) {
    count(rows);
    Arrays.fill(stays, true);
    for (int left = rows.size(); left > room; left--) {
      int largest = largest();
      int nth = draws.below(kept[largest]--);
      for (int row = 0; nth >= 0; row++) {
        if (stays[row] && rows.label(row) == largest && nth-- == 0) {
          stays[row] = false;
        }
      }
    }
  }

  /** Of each class in proportion to its rows; of a class without rows, all with the first. */
  @Override
  public void write(ReplayRows rows, int from, int to, DataOutput out) throws IOException {
    count(rows);
    int[] before = new int[kept.length];
    int[] upTo = new int[kept.length];
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
            kept[label] == 0
                ? (from == 0 ? offered[label] : 0)
                : Shares.of(offered[label], before[label], upTo[label], kept[label]));
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
