package dev.millrace.model.dl4j;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Row-major rows of one shape, in one native array that is used again and again and grows to the
 * greatest number of rows seen.
 */
final class RowArray implements AutoCloseable {

  private final long[] rowShape;
  private final int rowLength;
  private INDArray array;
  private NativeFloats floats;
  private INDArray view;

  RowArray(long... rowShape) {
    this.rowShape = rowShape.clone();
    this.rowLength = Math.toIntExact(Arrays.stream(rowShape).reduce(1, Math::multiplyExact));
  }

  /**
   * Copies {@code rows} rows in.
   *
   * @return an array {@code [rows, rowShape...]}, valid until the next call
   */
  INDArray fill(float[] source, int rows) {
    INDArray filled = first(rows);
    floats.write(0, source, 0, rows * rowLength);
    return filled;
  }

  /** Copies {@code values}, of any memory layout, out as {@code rows} row-major rows. */
  void extract(INDArray values, float[] target, int rows) {
    first(rows).assign(values);
    floats.read(0, target, 0, rows * rowLength);
  }

  @Override
  public void close() {
    if (array != null) {
      array.close();
      array = null;
      view = null;
    }
  }

  private INDArray first(int rows) {
    if (array == null || array.size(0) < rows) {
      grow(rows);
    }
    if (view.size(0) != rows) {
      INDArrayIndex[] indices = new INDArrayIndex[rowShape.length + 1];
      Arrays.fill(indices, NDArrayIndex.all());
      indices[0] = NDArrayIndex.interval(0, rows);
      view = rows == array.size(0) ? array : array.get(indices);
    }
    return view;
  }

  @SuppressWarnings("try") // The resource is a scope.
  private void grow(int rows) {
    close();
    long[] shape = LongStream.concat(LongStream.of(rows), Arrays.stream(rowShape)).toArray();
    // A workspace that happens to be open would reuse the memory.
    try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
      array = Nd4j.create(DataType.FLOAT, shape, 'c');
    }
    floats = new NativeFloats(array);
    view = array;
  }
}
