package dev.millrace.serve;

import dev.millrace.model.shape.ExampleShape;

/**
 * How many elements a tensor of a request may have.
 *
 * @param count of them
 * @param rows that they are of
 * @param ofField whether they are a field's values, which are kept as they are
 */
record Elements(int count, int rows, boolean ofField) {

  /** Allows as many as rows of a model have, of its numbers or of its words. */
  static Elements ofFeatures(ExampleShape shape, int rows) {
    long count = (long) rows * Math.max(shape.features(), shape.words());
    return new Elements((int) Math.min(count, Integer.MAX_VALUE), rows, false);
  }

  /** Allows one a row. */
  static Elements ofField(int rows) {
    return new Elements(rows, rows, true);
  }
}
