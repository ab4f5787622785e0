package dev.millrace.example;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;

/** What must be true of every example, whatever its format. */
final class Checks {

  private Checks() {}

  static void featureCount(ExampleShape shape, long found) throws InvalidExampleException {
    if (found != shape.features()) {
      throw new InvalidExampleException(
          "%d features expected, %d found".formatted(shape.features(), found));
    }
  }

  static void labelCount(ExampleShape shape, long found) throws InvalidExampleException {
    if (found != shape.outputs()) {
      throw new InvalidExampleException(
          "%d labels expected, %d found".formatted(shape.outputs(), found));
    }
  }

  static void features(Example example) throws InvalidExampleException {
    float[] features = example.features();
    // 0 · NaN and 0 · ∞ aren't 0: one sum tells whether any value needs a closer look.
    float sum = 0;
    for (float feature : features) {
      sum += 0 * feature;
    }
    if (sum != 0) {
      for (int i = 0; i < features.length; i++) {
        if (!Float.isFinite(features[i])) {
          throw new InvalidExampleException("feature %d is %s".formatted(i, features[i]));
        }
      }
    }
  }

  static void setClass(Example into, long label) throws InvalidExampleException {
    int classes = into.shape().outputs();
    if (label < 0 || label >= classes) {
      throw new InvalidExampleException(
          "label %d is out of range 0 to %d".formatted(label, classes - 1));
    }
    into.setClass((int) label);
  }

  /** Labels of multi-label and regression, and one-hot labels of classification. */
  static void labels(Example example) throws InvalidExampleException {
    Target target = example.shape().target();
    float[] labels = example.labels();
    float sum = 0;
    for (int i = 0; i < labels.length; i++) {
      float label = labels[i];
      if (!Float.isFinite(label)) {
        throw new InvalidExampleException("label %d is %s".formatted(i, label));
      }
      if (target != Target.REGRESSION && (label < 0 || label > 1)) {
        throw new InvalidExampleException("label %d is %s, not within 0 to 1".formatted(i, label));
      }
      sum += label;
    }
    if (target == Target.CLASSIFICATION && Math.abs(sum - 1) > 1e-3f) {
      throw new InvalidExampleException(
          "the labels of one class of several must sum to 1, not " + sum);
    }
  }

  static void setWeight(Example into, float weight) throws InvalidExampleException {
    if (!(weight > 0) || Float.isInfinite(weight)) {
      throw new InvalidExampleException("weight is %s, not above 0 and finite".formatted(weight));
    }
    into.setWeight(weight);
  }

  /** The class that one-hot labels name. */
  static int classOf(Example example) {
    float[] labels = example.labels();
    int best = 0;
    for (int i = 1; i < labels.length; i++) {
      if (labels[i] > labels[best]) {
        best = i;
      }
    }
    return best;
  }
}
