package dev.millrace.dl4j.evaluate;

import java.util.Arrays;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Some examples of an array. */
final class Rows {

  private Rows() {}

  /** Returns a view, of the same rank. */
  static INDArray of(INDArray array, long from, long to) {
    INDArrayIndex[] indices = new INDArrayIndex[array.rank()];
    Arrays.fill(indices, NDArrayIndex.all());
    indices[0] = NDArrayIndex.interval(from, to);
    return array.get(indices);
  }
}
