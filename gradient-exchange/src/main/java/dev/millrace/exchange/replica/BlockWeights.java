package dev.millrace.exchange.replica;

import dev.millrace.exchange.schedule.Fragment;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The examples, by weight, behind what each block has yet to contribute of what was learned before
 * a replica's last contribution. So each block counts each example once, whichever blocks the
 * contributions covered.
 *
 * <p>Belongs to one thread.
 */
final class BlockWeights {

  /** The weight of a block that has nothing to say: next to nothing, and more than 0. */
  private static final double LEAST = 1e-6;

  /** The weight since the last contribution that covered the block, up to the last of all. */
  private final double[] owed;

  /**
   * The weight of the last contribution that covered the block, where a codec left something out of
   * it.
   */
  private final double[] leftOut;

  /** Contributions since the last one that covered the block. */
  private final int[] passed;

  /** Nothing has been learned. */
  BlockWeights(int blocks) {
    this.owed = new double[blocks];
    this.leftOut = new double[blocks];
    this.passed = new int[blocks];
  }

  /**
   * Returns what the block's next contribution counts by: all since its last one, or, where all
   * that there is was left out of that, what it counted by again. It counts by something, whatever
   * is known.
   *
   * @param fresh weight of what was learned since the last contribution of all
   * @param learned whether anything was
   */
  double ofNext(int block, double fresh, boolean learned) {
    int at = at(block);
    double all = owed[at] + fresh;
    if (all > 0) {
      return all;
    }
    double known = learned ? 1 : leftOut[at];
    return known > 0 ? known : LEAST;
  }

  /** Weight of all examples that may be behind what the block has yet to contribute. */
  double behind(int block, double fresh) {
    int at = at(block);
    return fresh + owed[at] + leftOut[at];
  }

  /** Whether some block has been passed by since something was learned. */
  boolean areOwed() {
    return Arrays.stream(owed).anyMatch(weight -> weight > 0);
  }

  /** Returns how many contributions have been made since one covered the block. */
  int passed(int block) {
    return passed[at(block)];
  }

  /**
   * A contribution has been made.
   *
   * @param covered the blocks in it
   * @param fresh weight of what was learned since the one before
   * @param learned whether anything was
   * @param leftSome of which blocks a codec left something out
   */
  void contributed(Fragment covered, double fresh, boolean learned, IntPredicate leftSome) {
    for (int b = 0; b < owed.length; b++) {
      if (covered.covers(b)) {
        leftOut[b] = leftSome.test(b) ? ofNext(b, fresh, learned) : 0;
        owed[b] = 0;
        passed[b] = 0;
      } else {
        owed[b] += fresh;
        passed[b]++;
      }
    }
  }

  /** Adds those of another replica, or of this one before a restore. */
  void absorb(BlockWeights theirs) {
    for (int b = 0; b < owed.length; b++) {
      int at = theirs.at(b);
      owed[b] += theirs.owed[at];
      leftOut[b] += theirs.leftOut[at];
      passed[b] = Math.max(passed[b], theirs.passed[at]);
    }
  }

  private int at(int block) {
    return owed.length == 1 ? 0 : block;
  }

  /** Returns weights that are alike for all blocks, of any number: the most of any. */
  BlockWeights together() {
    BlockWeights one = new BlockWeights(1);
    one.owed[0] = Arrays.stream(owed).max().orElse(0);
    one.leftOut[0] = Arrays.stream(leftOut).max().orElse(0);
    one.passed[0] = Arrays.stream(passed).max().orElse(0);
    return one;
  }

  /** Writes those of one block where all are alike. */
  void write(DataOutput out) throws IOException {
    int blocks = areAlike() ? 1 : owed.length;
    out.writeInt(blocks);
    for (int b = 0; b < blocks; b++) {
      out.writeDouble(owed[b]);
      out.writeDouble(leftOut[b]);
      out.writeInt(passed[b]);
    }
  }

  private boolean areAlike() {
    return IntStream.range(1, owed.length)
        .allMatch(b -> owed[b] == owed[0] && leftOut[b] == leftOut[0] && passed[b] == passed[0]);
  }

  /** Reads what {@link #write} wrote, to be {@linkplain #absorb absorbed}. */
  static BlockWeights read(DataInput in) throws IOException {
    BlockWeights weights = new BlockWeights(in.readInt());
    for (int b = 0; b < weights.owed.length; b++) {
      weights.owed[b] = in.readDouble();
      weights.leftOut[b] = in.readDouble();
      weights.passed[b] = in.readInt();
    }
    return weights;
  }
}
