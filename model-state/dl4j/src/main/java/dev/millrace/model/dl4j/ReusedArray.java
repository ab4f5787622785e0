package dev.millrace.model.dl4j;

import java.util.Arrays;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Row-major values of any shape, in one native array that is used again and again and grows to the
 * most values seen.
 */
final class ReusedArray implements AutoCloseable {

  private INDArray array;
  private NativeFloats floats;
  private INDArray view;

  /**
   * Copies values in.
   *
   * @return an array of that shape, valid until the next call
   */
  INDArray fill(float[] source, long... shape) {
    INDArray filled = view(shape);
    floats.write(0, source, 0, Math.toIntExact(filled.length()));
    return filled;
  }

  /** Copies an array, of any memory layout, out. */
  void extract(INDArray values, float[] target) {
    view(values.shape()).assign(values);
    floats.read(0, target, 0, Math.toIntExact(values.length()));
  }

  @Override
  public void close() {
    if (array != null) {
      array.close();
      array = null;
      view = null;
    }
  }

  private INDArray view(long... shape) {
    long length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
    if (array == null || array.length() < length) {
      grow(length);
    }
    if (view == null || !Arrays.equals(view.shape(), shape)) {
      INDArray first =
          length == array.length() ? array : array.get(NDArrayIndex.interval(0, length));
      view = first.reshape('c', true, shape);
    }
    return view;
  }

  @SuppressWarnings("try") // The resource is a scope.
  private void grow(long length) {
    close();
    // A workspace that happens to be open would reuse the memory.
    try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
      array = Nd4j.create(DataType.FLOAT, length);
    }
    floats = new NativeFloats(array);
  }
}
