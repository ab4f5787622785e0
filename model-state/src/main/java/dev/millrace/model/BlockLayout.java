package dev.millrace.model;

import dev.millrace.model.shape.IndexRange;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How a model's flat vector is cut into blocks: all of {@code blockSize} floats but the last of the
 * parameters, and the last of the updater's state. No block has parts of both. Blocks are what the
 * exchange is keyed by.
 *
 * @param length floats in the exchanged vector
 * @param blockSize floats in a block
 * @param parameters how many of the vector's values are parameters: the first; updater state
 *     follows
 * @param nonNegative indices that hold second moments and the like, which rounding must not push
 *     below zero
 * @param runningStatistics see {@link ModelSpec}
 * @param frozen indices of parameters that nothing changes
 */
public record BlockLayout(
    int length,
    int blockSize,
    int parameters,
    List<IndexRange> nonNegative,
    List<IndexRange> runningStatistics,
    List<IndexRange> frozen)
    implements Serializable {

  /** A layout of a model without running statistics. */
  public BlockLayout(int length, int blockSize, int parameters, List<IndexRange> nonNegative) {
    this(length, blockSize, parameters, nonNegative, List.of());
  }

  /** A layout of a model of which all is trained. */
  public BlockLayout(
      int length,
      int blockSize,
      int parameters,
      List<IndexRange> nonNegative,
      List<IndexRange> runningStatistics) {
    this(length, blockSize, parameters, nonNegative, runningStatistics, List.of());
  }

  public BlockLayout {
    if (length < 1 || blockSize < 1) {
      throw new IllegalArgumentException(
          "A layout needs a positive length and block size, not %s and %s"
              .formatted(length, blockSize));
    }
    if (parameters < 0 || parameters > length) {
      throw new IllegalArgumentException(
          "%s of %s values can't be parameters".formatted(parameters, length));
    }
    nonNegative = List.copyOf(nonNegative);
    runningStatistics = List.copyOf(runningStatistics);
    frozen = List.copyOf(frozen);
  }

  public int count() {
    return parameterBlocks() + blocks(length - parameters);
  }

  /** Returns how many blocks hold parameters: the first. */
  public int parameterBlocks() {
    return blocks(parameters);
  }

  private int blocks(int values) {
    return (int) (((long) values + blockSize - 1) / blockSize);
  }

  public int offset(int block) {
    int before = parameterBlocks();
    return block < before ? block * blockSize : parameters + (block - before) * blockSize;
  }

  /** Returns the block that has a value of the vector. */
  public int blockOf(int value) {
    return value < parameters
        ? value / blockSize
        : parameterBlocks() + (value - parameters) / blockSize;
  }

  public int size(int block) {
    int end = block < parameterBlocks() ? parameters : length;
    return Math.min(blockSize, end - offset(block));
  }

  /** Returns how many of the block's values are parameters: all or none. */
  public int parameters(int block) {
    return block < parameterBlocks() ? size(block) : 0;
  }

  /** Whether the updater's state is exchanged, too. */
  public boolean hasUpdaterState() {
    return length > parameters;
  }

  /**
   * Keeps changes of others from leading below zero in the non-negative ranges of {@code block}:
   * half of what was there is left then. Nothing at all would be too little of a second moment: its
   * first moment isn't zero, and a step divides by the root.
   *
   * @param before of each value, 0 or more in these ranges
   */
  public void keepNonNegative(int block, float[] values, float[] before) {
    for (IndexRange part : nonNegative(block)) {
      for (int i = part.from(); i < part.to(); i++) {
        values[i] = values[i] < 0 ? before[i] / 2 : values[i];
      }
    }
  }

  /**
   * Keeps what is frozen in {@code block} as it was, whatever was learned before it was frozen and
   * comes now.
   *
   * @param before each value
   */
  public void keepFrozen(int block, float[] values, float[] before) {
    for (IndexRange part : parts(frozen, block)) {
      System.arraycopy(before, part.from(), values, part.from(), part.length());
    }
  }

  /** Returns where running statistics are in {@code block}, counted from its beginning. */
  public List<IndexRange> runningStatistics(int block) {
    return parts(runningStatistics, block);
  }

  /** Returns where second moments and the like are in {@code block}, counted from its beginning. */
  public List<IndexRange> nonNegative(int block) {
    return parts(nonNegative, block);
  }

  private List<IndexRange> parts(List<IndexRange> ranges, int block) {
    int offset = offset(block);
    IndexRange whole = new IndexRange(offset, offset + size(block));
    List<IndexRange> parts = new ArrayList<>();
    for (IndexRange range : ranges) {
      IndexRange part = range.intersect(whole);
      if (part.length() > 0) {
        parts.add(new IndexRange(part.from() - offset, part.to() - offset));
      }
    }
    return parts;
  }
}
