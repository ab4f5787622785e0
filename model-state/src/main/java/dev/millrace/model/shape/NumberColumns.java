package dev.millrace.model.shape;

import java.util.List;
import java.util.stream.Stream;

/**
 * The numbers of examples that are standardized, gathered into a matrix that has nothing else: a
 * row an example, or a step of a sequence that has it. What comes after a sequence's end isn't in
 * it.
 *
 * <p>Not thread-safe.
 */
public final class NumberColumns {

  private final ExampleShape shape;
  private final List<IndexRange> ranges;
  private final int count;
  private float[] values = new float[0];

  public NumberColumns(ExampleShape shape) {
    this.shape = shape;
    this.ranges = ranges(shape);
    this.count = count(shape);
  }

  /**
   * Returns which features are standardized where any are, counted from the start of the example,
   * or of each step of a sequence: those that the columns name, or all where they are an array of
   * numbers. Labels of records before are among them if they are numbers themselves: classes stay 0
   * and 1.
   */
  public static List<IndexRange> ranges(ExampleShape shape) {
    boolean lags = shape.labelLags() > 0;
    boolean numbers = shape.target() == Target.REGRESSION;
    if (shape.columns().isPlain()) {
      return List.of(new IndexRange(0, lags && !numbers ? shape.recordFeatures() : shape.width()));
    }
    List<IndexRange> ofFields = shape.columns().numbers();
    return lags && numbers
        ? Stream.concat(
                ofFields.stream(),
                Stream.of(new IndexRange(shape.recordFeatures(), shape.features())))
            .toList()
        : ofFields;
  }

  /** Whether these are all features of an example, which is one array of numbers. */
  public static boolean areAll(ExampleShape shape) {
    return shape.columns().isPlain()
        && !shape.structure().isSequence()
        && count(shape) == shape.features();
  }

  /** Returns how many these are. */
  public static int count(ExampleShape shape) {
    return ranges(shape).stream().mapToInt(IndexRange::length).sum();
  }

  /** The feature that a column is, counted as in {@link #ranges}. */
  public static int feature(ExampleShape shape, int column) {
    int left = column;
    for (IndexRange range : ranges(shape)) {
      if (left < range.length()) {
        return range.from() + left;
      }
      left -= range.length();
    }
    throw new IndexOutOfBoundsException(column);
  }

  /**
   * Gathers the numbers of the first {@code rows} examples.
   *
   * @param features rows of {@code shape.features()}
   * @param stepsOrNull of each row's sequence; null where examples are none
   * @return how many rows {@link #values} has now
   */
  public int gather(float[] features, int[] stepsOrNull, int rows) {
    int most = Math.multiplyExact(Math.multiplyExact(rows, shape.rows()), count);
    if (values.length < most) {
      values = new float[most];
    }
    int to = 0;
    int gathered = 0;
    boolean sequence = shape.structure().isSequence();
    for (int row = 0; row < rows; row++) {
      int present = sequence ? stepsOrNull[row] : 1;
      gathered += present;
      for (int step = 0; step < present; step++) {
        int from = row * shape.features() + step * shape.width();
        for (IndexRange range : ranges) {
          System.arraycopy(features, from + range.from(), values, to, range.length());
          to += range.length();
        }
      }
    }
    return gathered;
  }

  /** Returns what was gathered, row-major; the array is used again. */
  public float[] values() {
    return values;
  }
}
