package dev.millrace.serve;

import dev.millrace.model.shape.ExampleShape;

/**
 * How many elements a tensor of a request may have.
 *
 * @param count of them
 * @param rows that they are of
 */
record Elements(int count, int rows) {

  /** Allows as many as rows of a model have, of its numbers or of its words. */
  static Elements of(ExampleShape shape, int rows) {
    long count = (long) rows * Math.max(shape.features(), shape.words());
    return new Elements((int) Math.min(count, Integer.MAX_VALUE), rows);
  }
}
