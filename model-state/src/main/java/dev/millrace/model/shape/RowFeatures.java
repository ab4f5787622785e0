package dev.millrace.model.shape;

import java.util.ArrayList;
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
}
