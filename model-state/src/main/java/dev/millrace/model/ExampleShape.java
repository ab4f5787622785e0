package dev.millrace.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * The shape of every example of a job: how many features it has, and how many outputs of which kind
 * its label describes.
 *
 * @param features length of the feature vector, at least 1
 * @param outputs number of classes, or length of the label vector, at least 1
 * @param target what the labels mean
 */
public record ExampleShape(int features, int outputs, Target target) implements Serializable {

  public ExampleShape {
    Objects.requireNonNull(target, "target");
    if (features < 1 || outputs < 1) {
      throw new IllegalArgumentException(
          "An example needs at least one feature and one output, not %d and %d"
              .formatted(features, outputs));
    }
    if (target == Target.CLASSIFICATION && outputs < 2) {
      throw new IllegalArgumentException("Classification needs at least two classes, not 1");
    }
  }
}
