package dev.millrace.model;

import java.io.Serializable;
import java.util.List;

/**
 * How a model's flat vector is cut into parameter blocks: all of {@code blockSize} floats but the
 * last. Blocks are what the exchange is keyed by.
 *
 * @param length floats in the exchanged vector
 * @param blockSize floats in a block
 * @param parameters how many of the vector's values are parameters: the first; updater state
 *     follows
 * @param nonNegative indices that hold second moments and the like, which rounding must not push
 *     below zero
 */
public record BlockLayout(int length, int blockSize, int parameters, List<IndexRange> nonNegative)
    implements Serializable {

  public BlockLayout {
    if (length < 1 || blockSize < 1) {
      throw new IllegalArgumentException(
          "A layout needs a positive length and block size, not %d and %d"
              .formatted(length, blockSize));
    }
    if (parameters < 0 || parameters > length) {
      throw new IllegalArgumentException(
          "%d of %d values can't be parameters".formatted(parameters, length));
    }
    nonNegative = List.copyOf(nonNegative);
  }

  public int count() {
    return (length - 1) / blockSize + 1;
  }

  public int offset(int block) {
    return block * blockSize;
  }

  public int size(int block) {
    return Math.min(blockSize, length - offset(block));
  }

  /** How many of the block's values are parameters: the first. */
  public int parameters(int block) {
    return Math.max(0, Math.min(parameters - offset(block), size(block)));
  }

  /** Raises to zero what lies below it in the non-negative ranges of {@code block}. */
  public void clip(int block, float[] values) {
    IndexRange whole = new IndexRange(offset(block), offset(block) + size(block));
    for (IndexRange range : nonNegative) {
      IndexRange part = range.intersect(whole);
      for (int i = part.from() - whole.from(); i < part.to() - whole.from(); i++) {
        values[i] = Math.max(values[i], 0f);
      }
    }
  }
}
