package dev.millrace.exchange.replica;

import java.util.Arrays;

/**
 * What was left out of a replica's contributions so far, by codecs or since a contribution didn't
 * cover the block: it has been learned from records that count as learned, so it outlives whatever
 * becomes of what is learned next.
 *
 * <p>Not thread-safe.
 */
final class Residual {

  private static final float[] NOTHING = new float[0];

  private final VectorBlocks blocks;

  /** The values that were left out, by block; empty where nothing was. */
  private final float[][] left;

  Residual(VectorBlocks blocks) {
    this.blocks = blocks;
    this.left = new float[blocks.count()][];
    clear();
  }

  /** Nothing is left out. */
  void clear() {
    Arrays.fill(left, NOTHING);
  }

  /** Nothing is left out of a block's change. */
  void clear(int block) {
    left[block] = NOTHING;
  }

  /** Copies what was left out of a block's change. */
  void set(int block, float[] change) {
    int size = blocks.size(block);
    if (left[block].length == 0) {
      left[block] = new float[size];
    }
    System.arraycopy(change, 0, left[block], 0, size);
  }

  boolean isEmpty() {
    return Arrays.stream(left).allMatch(block -> block.length == 0);
  }

  boolean isEmpty(int block) {
    return left[block].length == 0;
  }

  /** Writes what is known, and what was left out, into the model. */
  void restoreValues(Anchor anchor) {
    for (int b = 0; b < left.length; b++) {
      if (left[b].length > 0) {
        writeValues(b, blocks.copyToRoom(left[b]), anchor);
      }
    }
  }

  /**
   * Writes what is known of a block, and a change, into the model.
   *
   * @param change is undefined afterwards
   */
  void writeValues(int b, float[] change, Anchor anchor) {
    BlockArithmetic.add(change, anchor.of(b), blocks.size(b));
    blocks.layout().keepNonNegative(b, change, anchor.of(b));
    blocks.layout().keepFrozen(b, change, anchor.of(b));
    blocks.write(b, change);
  }

  /** Adds a part of what another replica's codecs left out to a part of this. */
  void absorb(float[][] theirs, MergeShares shares) {
    for (int b = 0; b < left.length; b++) {
      if (theirs[b].length > 0 && left[b].length == 0) {
        left[b] = new float[blocks.size(b)];
      }
      for (int i = 0; i < left[b].length; i++) {
        left[b][i] *= shares.ours(b);
        left[b][i] += theirs[b].length > 0 ? shares.theirs(b) * theirs[b][i] : 0;
      }
    }
  }

  /**
   * Returns the values that were left out, by block, in arrays that stay as they are; empty where
   * nothing was.
   */
  float[][] save() {
    return Arrays.stream(left).map(float[]::clone).toArray(float[][]::new);
  }

  void restore(float[][] saved) {
    System.arraycopy(saved, 0, left, 0, left.length);
  }
}
