package dev.millrace.dl4j.data;

import org.nd4j.linalg.api.ndarray.INDArray;

/** A mask of labels that are one row an example: how much the example counts in the loss. */
final class ExampleWeights {

  private ExampleWeights() {}

  /** Null where all count the same. */
  static float[] of(INDArray[] masks) {
    if (masks == null) {
      return null;
    }
    float[] weights = null;
    for (INDArray mask : masks) {
      if (mask != null) {
        if (weights != null || mask.length() != mask.size(0)) {
          throw new IllegalArgumentException(
              "A mask of labels has the shape %s: there may be one value an example, which is its weight"
                  .formatted(mask.shapeInfoToString()));
        }
        weights = mask.dup('c').data().asFloat();
      }
    }
    return weights;
  }
}
