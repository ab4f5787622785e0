package dev.millrace.model.dl4j;

import java.util.Objects;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Copies between Java arrays and the memory of one contiguous float array, in bulk. */
final class NativeFloats {

  private final INDArray array;
  private final FloatPointer pointer;
  private final int length;

  /**
   * @param array an array of floats that owns its whole buffer, or a view of a buffer's beginning
   */
  NativeFloats(INDArray array) {
    this.array = array;
    this.pointer = new FloatPointer(array.data().pointer());
    this.length = Math.toIntExact(array.length());
  }

  int length() {
    return length;
  }

  void read(int from, float[] target, int offset, int count) {
    check(from, target, offset, count);
    Nd4j.getAffinityManager().ensureLocation(array, Location.HOST);
    pointer.position(from).get(target, offset, count);
  }

  void write(int from, float[] source, int offset, int count) {
    check(from, source, offset, count);
    Nd4j.getAffinityManager().ensureLocation(array, Location.HOST);
    pointer.position(from).put(source, offset, count);
    Nd4j.getAffinityManager().tagLocation(array, Location.HOST);
  }

  /** Native copies are not checked by anybody else. */
  private void check(int from, float[] values, int offset, int count) {
    Objects.checkFromIndexSize(from, count, length);
    Objects.checkFromIndexSize(offset, count, values.length);
  }
}
