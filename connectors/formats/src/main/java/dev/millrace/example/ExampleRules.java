package dev.millrace.example;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.Serializable;
import java.util.Arrays;

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

  /** Whether a class is all that there is of labels. */
  boolean isClassification() {
    return shape.target() == Target.CLASSIFICATION && shape.structure().outputs().isEmpty();
  }

  void checkFeatureCount(long found) throws InvalidExampleException {
    checkFeatureCount(shape.features(), found);
  }

  static void checkFeatureCount(int expected, long found) throws InvalidExampleException {
    if (found != expected) {
      throw new InvalidExampleException(
          "%s features expected, %s found".formatted(expected, found));
    }
  }

  void checkLabelCount(long found) throws InvalidExampleException {
    if (found != shape.outputs()) {
      throw new InvalidExampleException(
          "%s labels expected, %s found".formatted(shape.outputs(), found));
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
    checkClass(label);
    into.setClass((int) label);
  }

  /** Makes the labels of one step one-hot. */
  void setClass(long label, float[] labels, int from) throws InvalidExampleException {
    checkClass(label);
    Arrays.fill(labels, from, from + shape.outputs(), 0f);
    labels[from + (int) label] = 1;
  }

  private void checkClass(long label) throws InvalidExampleException {
    if (label < 0 || label >= shape.outputs()) {
      throw new InvalidExampleException(
          "label %s is out of range 0 to %s".formatted(label, shape.outputs() - 1));
    }
  }

  /** Whether a number is a class; many tools write {@code 3.0}. */
  boolean isClass(double number) {
    return Math.rint(number) == number && number >= 0 && number < shape.outputs();
  }

  /**
   * Returns why a number is no class.
   *
   * @param text as it came: a number may be so large that it reads back as another
   */
  InvalidExampleException noClass(double number, String text) {
    String label = "label " + Excerpt.unquoted(text);
    return new InvalidExampleException(
        Math.rint(number) == number
            ? "%s is out of range 0 to %s".formatted(label, shape.outputs() - 1)
            : label + " is not a whole number");
  }

  /** The class that one-hot labels stand for. */
  int classOf(Example example) {
    return classOf(example.labels(), 0, shape.outputs());
  }

  /** The class that some of the labels stand for. */
  static int classOf(float[] labels, int from, int length) {
    int best = 0;
    for (int i = 1; i < length; i++) {
      if (labels[from + i] > labels[from + best]) {
        best = i;
      }
    }
    return best;
  }

  void checkLabels(float[] labels) throws InvalidExampleException {
    checkLabels(labels, 0, labels.length, shape.target());
  }

  /**
   * Checks some of the labels, as a target has them.
   *
   * @param from the first of them
   */
  void checkLabels(float[] labels, int from, int length, Target target)
      throws InvalidExampleException {
    for (int i = from; i < from + length; i++) {
      if (!Float.isFinite(labels[i])) {
        throw notFinite("label", labels);
      }
    }
    switch (target) {
      case CLASSIFICATION -> checkOneHot(labels, from, length);
      case MULTI_LABEL -> checkUnitInterval(labels, from, length);
      case REGRESSION -> {}
    }
  }

  /** Checks the labels of an example, or of one of its steps, each output's by its own target. */
  void checkLabelRow(float[] labels, int from) throws InvalidExampleException {
    if (shape.structure().outputs().isEmpty()) {
      checkLabels(labels, from, shape.outputs(), shape.target());
    }
    for (ExampleStructure.Output output : shape.structure().outputs()) {
      IndexRange range = output.labels();
      checkLabels(labels, from + range.from(), range.length(), output.target());
    }
  }

  /** Checks how many steps a sequence has. */
  void checkSteps(int found) throws InvalidExampleException {
    if (found < 1 || found > shape.rows()) {
      throw new InvalidExampleException(
          "a sequence of 1 to %s steps expected, one of %s found".formatted(shape.rows(), found));
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
      throw new InvalidExampleException("timestamp %s is out of range".formatted(timestamp));
    }
    into.setTimestamp(timestamp);
  }

  private static void checkOneHot(float[] labels, int from, int length)
      throws InvalidExampleException {
    int ones = 0;
    for (int i = from; i < from + length; i++) {
      if (labels[i] == 1) {
        ones++;
      } else if (labels[i] != 0) {
        throw new InvalidExampleException(
            "label %s is %s, a class is written as 0s and one 1".formatted(i, labels[i]));
      }
    }
    if (ones != 1) {
      throw new InvalidExampleException("one label of 1 expected, %s found".formatted(ones));
    }
  }

  private static void checkUnitInterval(float[] labels, int from, int length)
      throws InvalidExampleException {
    for (int i = from; i < from + length; i++) {
      if (!(labels[i] >= 0 && labels[i] <= 1)) {
        throw new InvalidExampleException(
            "label %s is %s, out of range 0 to 1".formatted(i, labels[i]));
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
            ? "%s %s is NaN".formatted(what, i)
            : "%s %s is infinite".formatted(what, i));
  }
}
