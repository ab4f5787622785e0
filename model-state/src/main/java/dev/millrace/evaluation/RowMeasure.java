package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What is kept of the examples for one kind of measure: of bounded size, and after any number of
 * merges what one pass over all examples would have kept.
 *
 * <p>Not thread-safe.
 */
interface RowMeasure {

  /**
   * Takes in one example; allocates nothing.
   *
   * @param predictions finite
   * @param labels finite
   * @param at where the example's predictions and labels begin
   */
  void add(float[] predictions, float[] labels, int at);

  /**
   * Takes in what another has kept, which stays as it is.
   *
   * @param other of the same class and shape
   */
  void merge(RowMeasure other);

  void write(DataOutput out) throws IOException;

  /** Takes over what one of the same shape has written; this one is new. */
  void read(DataInput in) throws IOException;
}
