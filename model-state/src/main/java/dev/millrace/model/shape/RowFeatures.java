package dev.millrace.model.shape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which features of an example are rows of embedding tables, and which are not. */
public final class RowFeatures {

  private RowFeatures() {}

  /** Returns the features of each row, in ascending order. */
  public static List<IndexRange> rows(ExampleShape shape) {
    return shape.columns().ids().stream()
        .map(IdColumn::features)
        .sorted(Comparator.comparingInt(IndexRange::from))
        .toList();
  }

  /** Returns the features that are of no row, in ascending order, neighbours together. */
  public static List<IndexRange> others(List<IndexRange> rows, int features) {
    List<IndexRange> others = new ArrayList<>();
    int done = 0;
    for (IndexRange row : rows) {
      if (row.from() > done) {
        others.add(new IndexRange(done, row.from()));
      }
      done = row.to();
    }
    if (features > done) {
      others.add(new IndexRange(done, features));
    }
    return others;
  }

  /** Returns how many values the shortest row has; there must be one. */
  public static int shortest(List<IndexRange> rows) {
    return rows.stream().mapToInt(IndexRange::length).min().orElseThrow();
  }

  /**
   * Returns a matrix by which features are multiplied to sum rows: of their first values, and of so
   * many others, each.
   *
   * @param others of each row behind its first value; no row has fewer
   * @return {@code features} rows of {@code 1 + others} zeros and ones
   */
  public static float[] sums(List<IndexRange> rows, int features, int others) {
    int columns = 1 + others;
    float[] matrix = new float[Math.multiplyExact(features, columns)];
    for (IndexRange row : rows) {
      for (int value = 0; value < columns; value++) {
        matrix[(row.from() + value) * columns + value] = 1;
      }
    }
    return matrix;
  }

  /** Returns ones where a feature is among the {@code others} of {@link #sums}, and zeros. */
  public static float[] places(List<IndexRange> rows, int features, int others) {
    float[] places = new float[features];
    for (IndexRange row : rows) {
      Arrays.fill(places, row.from() + 1, row.from() + 1 + others, 1);
    }
    return places;
  }
}
