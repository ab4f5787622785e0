package dev.millrace.model.score;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * How many positive and how many negative examples have a score of each bin, for the bins that have
 * any. Counts of disjoint examples merge by addition, exactly: the area under the ROC curve doesn't
 * depend on how examples were shared out, nor on any order.
 *
 * <p>Bins are those of {@link ScoreBins#forHistograms} for one output. Immutable.
 */
public final class ScoreCounts implements Serializable {

  private static final int[] NO_CELLS = new int[0];
  private static final long[] NO_COUNTS = new long[0];

  /** Counts no example; the only one that costs nothing. */
  public static final ScoreCounts NONE = new ScoreCounts(NO_CELLS, NO_COUNTS);

  public static final WireFormat<ScoreCounts> WIRE = new CountsWire();

  static final ScoreBins BINS = ScoreBins.forHistograms(1);

  /** A bin has two: twice its number for negative examples, one more for positive ones. */
  static final int CELLS = 2 * BINS.count();

  private final int[] cells;
  private final long[] counts;

  /**
   * @param cells that have examples, ascending; not copied
   * @param counts of these, at least 1 each; not copied
   */
  ScoreCounts(int[] cells, long[] counts) {
    this.cells = cells;
    this.counts = counts;
  }

  /** Adds these so many times to what each cell has; takes them away where that is −1. */
  void into(long[] all, int times) {
    for (int i = 0; i < cells.length; i++) {
      all[cells[i]] += times * counts[i];
    }
  }

  public ScoreCounts plus(ScoreCounts other) {
    if (cells.length == 0 || other.cells.length == 0) {
      return cells.length == 0 ? other : this;
    }
    ScoreCounter sum = new ScoreCounter();
    sum.add(this);
    sum.add(other);
    return sum.counts();
  }

  public boolean isEmpty() {
    return cells.length == 0;
  }

  /** Examples, positive and negative ones. */
  public long examples() {
    return Arrays.stream(counts).sum();
  }

  public long positives() {
    long positives = 0;
    for (int i = 0; i < cells.length; i++) {
      positives += isPositive(cells[i]) ? counts[i] : 0;
    }
    return positives;
  }

  /** The area under the ROC curve; NaN unless there are both positive and negative examples. */
  public double area() {
    RocArea area = new RocArea();
    for (int i = 0; i < cells.length; i++) {
      if (isPositive(cells[i])) {
        area.add(counts[i], 0);
      } else if (i + 1 < cells.length && cells[i + 1] == cells[i] + 1) {
        area.add(counts[i + 1], counts[i]);
        i++;
      } else {
        area.add(0, counts[i]);
      }
    }
    return area.value();
  }

  private static boolean isPositive(int cell) {
    return (cell & 1) == 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScoreCounts those
        && Arrays.equals(cells, those.cells)
        && Arrays.equals(counts, those.counts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(cells) + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return "scores of %s examples".formatted(examples());
  }

  /** A number of cells, then each as its distance from the one before and its count. */
  private static final class CountsWire implements WireFormat<ScoreCounts>, Serializable {

    private static final int VERSION = 1;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 1 << GROUP_BITS;

    @Override
    public void write(ScoreCounts scores, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      writeNumber(scores.cells.length, out);
      int before = -1;
      for (int i = 0; i < scores.cells.length; i++) {
        writeNumber(scores.cells[i] - before, out);
        writeNumber(scores.counts[i], out);
        before = scores.cells[i];
      }
    }

    @Override
    public ScoreCounts read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ScoreCounts.class);
      long length = readNumber(in);
      if (length == 0) {
        return NONE;
      }
      if (length < 0 || length > CELLS) {
        throw new IOException("Scores in %s cells, of %s".formatted(length, CELLS));
      }
      int[] cells = new int[(int) length];
      long[] counts = new long[cells.length];
      long cell = -1;
      for (int i = 0; i < cells.length; i++) {
        long distance = readNumber(in);
        counts[i] = readNumber(in);
        if (distance < 1 || distance >= CELLS - cell || counts[i] < 1) {
          throw new IOException(
              "%s scores, %s cells behind cell %s of %s"
                  .formatted(counts[i], distance, cell, CELLS));
        }
        cell += distance;
        cells[i] = (int) cell;
      }
      return new ScoreCounts(cells, counts);
    }

    /** Small numbers take a byte: seven bits at a time, the lowest first. */
    private static void writeNumber(long number, DataOutput out) throws IOException {
      long rest = number;
      while (rest >= MORE) {
        out.writeByte((int) (rest & (MORE - 1)) | MORE);
        rest >>>= GROUP_BITS;
      }
      out.writeByte((int) rest);
    }

    private static long readNumber(DataInput in) throws IOException {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += GROUP_BITS) {
        int group = in.readUnsignedByte();
        number |= (long) (group & (MORE - 1)) << shift;
        if (group < MORE) {
          return number;
        }
      }
      throw new IOException("A count of scores is longer than a long");
    }
  }
}
