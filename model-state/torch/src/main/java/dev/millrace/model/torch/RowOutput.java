package dev.millrace.model.torch;

import org.bytedeco.pytorch.Tensor;

/** A way of values from a device to the heap, in two steps: the device computes on in between. */
interface RowOutput extends AutoCloseable {

  /** Starts to copy the values of a tensor of floats, which mustn't change. */
  void take(Tensor values);

  /** Waits for what was taken last, and copies it to the heap, row-major. */
  void give(float[] target);

  @Override
  void close();
}
