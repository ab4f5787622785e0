package dev.millrace.model.dl4j;

import dev.millrace.model.shape.IndexRange;

/** What one of a network's arrays has of each example. */
final class ArrayPart {

  private final IndexRange values;
  private final boolean sequence;
  private final long[] rowShape;

  private ArrayPart(IndexRange values, boolean sequence, long... rowShape) {
    this.values = values;
    this.sequence = sequence;
    this.rowShape = rowShape;
  }

  /**
   * Values of an example; of a sequence those of its first step.
   *
   * @param rowShape in which the network takes them
   */
  static ArrayPart ofRow(IndexRange values, long... rowShape) {
    return new ArrayPart(values, false, rowShape);
  }

  /** Values of each of a sequence's steps. */
  static ArrayPart ofSteps(IndexRange values) {
    return new ArrayPart(values, true, values.length());
  }

  /** Returns which values it has of an example's, or of each step's. */
  IndexRange values() {
    return values;
  }

  boolean isSequence() {
    return sequence;
  }

  long[] rowShape() {
    return rowShape.clone();
  }
}
