package dev.millrace.model.torch;

import org.bytedeco.pytorch.Tensor;

/** A way of rows from the heap to a device, with room for as many as have ever come. */
interface RowInput extends AutoCloseable {

  /**
   * Copies rows.
   *
   * @param values row-major, at least {@code rows} times the width
   * @return a tensor [rows, width] on the device, for the caller's scope. Its values are there for
   *     all that is computed until {@link #used}
   */
  Tensor put(float[] values, int rows);

  /**
   * Notes that what was last put has been used in all that the caller has asked the device to
   * compute.
   */
  void used();

  @Override
  void close();
}
