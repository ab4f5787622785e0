package dev.millrace.example;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.Serializable;

/** What every format demands of an example. Features and labels are numbered from 0. */
final class ExampleRules implements Serializable {

  private static final int MAGNITUDE = 0x7fffffff;
  private static final int INFINITY = 0x7f800000;

  private final ExampleShape shape;
  private final boolean labelled;

  /**
   * @param labelled whether an example has labels; else they are neither asked for nor looked at
   */
  ExampleRules(ExampleShape shape, boolean labelled) {
    this.shape = shape;
    this.labelled = labelled;
  }

  ExampleShape shape() {
    return shape;
  }

  boolean isLabelled() {
    return labelled;
  }

  boolean isClassification() {
    return shape.target() == Target.CLASSIFICATION;
  }

  void checkFeatureCount(long found) throws InvalidExampleException {
    if (found != shape.features()) {
      throw new InvalidExampleException(
          "%d features expected, %d found".formatted(shape.features(), found));
    }
  }

  void checkLabelCount(long found) throws InvalidExampleException {
    if (found != shape.outputs()) {
      throw new InvalidExampleException(
          "%d labels expected, %d found".formatted(shape.outputs(), found));
    }
  }

  void checkFeatures(float[] features) throws InvalidExampleException {
    // Without a branch in the loop it runs on vectors; the sign stays set while all are finite.
    int finite = -1;
    for (float feature : features) {
      finite &= (Float.floatToRawIntBits(feature) & MAGNITUDE) - INFINITY;
    }
    if (finite >= 0) {
      throw notFinite("feature", features);
    }
  }

  /** Makes the labels one-hot. */
  void setClass(long label, Example into) throws InvalidExampleException {
    if (label < 0 || label >= shape.outputs()) {
      throw new InvalidExampleException(
          "label %d is out of range 0 to %d".formatted(label, shape.outputs() - 1));
    }
    into.setClass((int) label);
  }

  /** Whether a number is a class; many tools write {@code 3.0}. */
  boolean isClass(double number) {
    return Math.rint(number) == number && number >= 0 && number < shape.outputs();
  }

  /**
   * Why a number is no class.
   *
   * @param text as it came: a number may be so large that it reads back as another
   */
  InvalidExampleException noClass(double number, String text) {
    String label = "label " + Excerpt.unquoted(text);
    return new InvalidExampleException(
        Math.rint(number) == number
            ? "%s is out of range 0 to %d".formatted(label, shape.outputs() - 1)
            : label + " is not a whole number");
  }

  /** The class that one-hot labels stand for. */
  int classOf(Example example) {
    float[] labels = example.labels();
    int best = 0;
    for (int i = 1; i < labels.length; i++) {
      if (labels[i] > labels[best]) {
        best = i;
      }
    }
    return best;
  }

  void checkLabels(float[] labels) throws InvalidExampleException {
    for (float label : labels) {
      if (!Float.isFinite(label)) {
        throw notFinite("label", labels);
      }
    }
    switch (shape.target()) {
      case CLASSIFICATION -> checkOneHot(labels);
      case MULTI_LABEL -> checkUnitInterval(labels);
      case REGRESSION -> {}
    }
  }

  void setWeight(float weight, Example into) throws InvalidExampleException {
    if (!(weight > 0) || Float.isInfinite(weight)) {
      throw new InvalidExampleException(
          "weight %s is not a finite number above 0".formatted(weight));
    }
    into.setWeight(weight);
  }

  void setTimestamp(long timestamp, Example into) throws InvalidExampleException {
    if (timestamp == Example.NO_TIMESTAMP) {
      throw new InvalidExampleException("timestamp %d is out of range".formatted(timestamp));
    }
    into.setTimestamp(timestamp);
  }

  private static void checkOneHot(float[] labels) throws InvalidExampleException {
    int ones = 0;
    for (int i = 0; i < labels.length; i++) {
      if (labels[i] == 1) {
        ones++;
      } else if (labels[i] != 0) {
        throw new InvalidExampleException(
            "label %d is %s, a class is written as 0s and one 1".formatted(i, labels[i]));
      }
    }
    if (ones != 1) {
      throw new InvalidExampleException("one label of 1 expected, %d found".formatted(ones));
    }
  }

  private static void checkUnitInterval(float[] labels) throws InvalidExampleException {
    for (int i = 0; i < labels.length; i++) {
      if (!(labels[i] >= 0 && labels[i] <= 1)) {
        throw new InvalidExampleException(
            "label %d is %s, out of range 0 to 1".formatted(i, labels[i]));
      }
    }
  }

  private static InvalidExampleException notFinite(String what, float[] values) {
    int i = 0;
    while (Float.isFinite(values[i])) {
      i++;
    }
    return new InvalidExampleException(
        Float.isNaN(values[i])
            ? "%s %d is NaN".formatted(what, i)
            : "%s %d is infinite".formatted(what, i));
  }
}
