package dev.millrace.model.dl4j;

import java.util.Objects;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The vector [parameters | updater state] over the two arrays that a network keeps them in. */
final class FlatVector {

  private final NativeFloats parameters;
  private final NativeFloats updaterState;
  private final int length;

  /**
   * @param updaterState null if there is none
   */
  FlatVector(INDArray parameters, INDArray updaterState) {
    this.parameters = new NativeFloats(parameters);
    this.updaterState = updaterState == null ? null : new NativeFloats(updaterState);
    this.length =
        Math.addExact(
            this.parameters.length(), updaterState == null ? 0 : this.updaterState.length());
  }

  void read(int from, float[] target, int offset, int count) {
    Objects.checkFromIndexSize(from, count, length);
    int first = inParameters(from, count);
    if (first > 0) {
      parameters.read(from, target, offset, first);
    }
    if (first < count) {
      updaterState.read(from + first - parameters.length(), target, offset + first, count - first);
    }
  }

  void write(int from, float[] source, int offset, int count) {
    Objects.checkFromIndexSize(from, count, length);
    int first = inParameters(from, count);
    if (first > 0) {
      parameters.write(from, source, offset, first);
    }
    if (first < count) {
      updaterState.write(from + first - parameters.length(), source, offset + first, count - first);
    }
  }

  /** Returns how many of {@code count} floats from index {@code from} are parameters. */
  private int inParameters(int from, int count) {
    return Math.max(0, Math.min(count, parameters.length() - from));
  }
}
