package dev.millrace.nd4j.vertices;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which features are those of rows, each from one to behind its last, in ascending order. Like its
 * package it knows no class of a job: DL4J's JSON names vertices, and DL4J outlives jobs.
 */
final class RowColumns {

  private final int features;
  private final int[] from;
  private final int[] to;

  RowColumns(int features, int[] from, int[] to) {
    this.features = features;
    this.from = from;
    this.to = to;
  }

  /** Returns how many values the shortest row has. */
  int shortest() {
    int shortest = Integer.MAX_VALUE;
    for (int row = 0; row < from.length; row++) {
      shortest = Math.min(shortest, to[row] - from[row]);
    }
    return shortest;
  }

  /** Returns the features of no row: of neighbours the first, and how many they are. */
  List<int[]> others() {
    List<int[]> others = new ArrayList<>();
    int done = 0;
    for (int row = 0; row < from.length; row++) {
      if (from[row] > done) {
        others.add(new int[] {done, from[row] - done});
      }
      done = to[row];
    }
    if (features > done) {
      others.add(new int[] {done, features - done});
    }
    return others;
  }

  /** Returns how many features are of no row. */
  int width() {
    return others().stream().mapToInt(other -> other[1]).sum();
  }

  /**
   * Returns a matrix by which features are multiplied to sum rows: of their first values, and of so
   * many others, each.
   *
   * @return {@code features} rows of {@code 1 + factors} zeros and ones
   */
  float[] sums(int factors) {
    int columns = 1 + factors;
    float[] matrix = new float[Math.multiplyExact(features, columns)];
    for (int first : from) {
      for (int value = 0; value < columns; value++) {
        matrix[(first + value) * columns + value] = 1;
      }
    }
    return matrix;
  }

  /** Returns ones where a feature is among the {@code factors} of {@link #sums}, and zeros. */
  float[] places(int factors) {
    float[] places = new float[features];
    for (int first : from) {
      Arrays.fill(places, first + 1, first + 1 + factors, 1);
    }
    return places;
  }
}
