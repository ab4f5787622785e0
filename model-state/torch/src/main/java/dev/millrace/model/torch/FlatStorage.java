package dev.millrace.model.torch;

import org.bytedeco.pytorch.Tensor;

/** Values on a device in one piece, of which tensors can be parts. */
interface FlatStorage extends AutoCloseable {

  /** All of it; it lives as long as this. */
  Tensor tensor();

  /** Copies values to the heap, as they are when all that was asked before has been computed. */
  void read(int from, float[] target, int offset, int length);

  void write(int from, float[] source, int offset, int length);

  @Override
  void close();
}
