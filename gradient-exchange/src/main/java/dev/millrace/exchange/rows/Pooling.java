package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;
import dev.millrace.model.shape.IdColumn;
import java.util.Arrays;

/**
 * Makes the columns of one field of the rows of each list of ids: their sum, or that divided by how
 * many ids the list has. An empty list gives zeros.
 */
final class Pooling {

  private Pooling() {}

  /**
   * Writes one field's columns of each example.
   *
   * @param how sum or mean
   * @param lists the minibatch's ids
   * @param numbers of each id its row's number, see {@link TableIds#numbers}
   * @param rows values of the different ids, {@code dimension} each
   * @param features row-major, {@code columns} for each example
   * @param column the first of the field's columns
   */
  static void pool(
      IdColumn.Pooling how,
      IdLists lists,
      int field,
      int[] numbers,
      float[] rows,
      int dimension,
      float[] features,
      int columns,
      int column) {
    for (int example = 0; example < lists.rows(); example++) {
      int list = example * lists.fields() + field;
      int start = lists.start(list);
      int end = lists.start(list + 1);
      int to = example * columns + column;
      if (start == end) {
        Arrays.fill(features, to, to + dimension, 0);
        continue;
      }
      System.arraycopy(rows, numbers[start] * dimension, features, to, dimension);
      for (int at = start + 1; at < end; at++) {
        int from = numbers[at] * dimension;
        for (int i = 0; i < dimension; i++) {
          features[to + i] += rows[from + i];
        }
      }
      if (how == IdColumn.Pooling.MEAN && end - start > 1) {
        for (int i = to; i < to + dimension; i++) {
          features[i] /= end - start;
        }
      }
    }
  }

  /**
   * The way back: adds the gradients of the field's columns to those of the rows that they came of.
   *
   * @param features gradients of the features, as in {@link #pool}
   * @param gradients of the different ids' rows, {@code dimension} each; added to
   */
  static void scatter(
      IdColumn.Pooling how,
      IdLists lists,
      int field,
      int[] numbers,
      float[] gradients,
      int dimension,
      float[] features,
      int columns,
      int column) {
    for (int example = 0; example < lists.rows(); example++) {
      int list = example * lists.fields() + field;
      int start = lists.start(list);
      int end = lists.start(list + 1);
      int from = example * columns + column;
      float share = how == IdColumn.Pooling.MEAN ? end - start : 1;
      for (int at = start; at < end; at++) {
        int to = numbers[at] * dimension;
        for (int i = 0; i < dimension; i++) {
          gradients[to + i] += features[from + i] / share;
        }
      }
    }
  }
}
