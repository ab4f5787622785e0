package dev.millrace.model.shape;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.util.Objects;

/**
 * The shape of every example of a job: how many features it has, and how many outputs of which kind
 * its label describes.
 *
 * @param features length of the feature vector, at least 1; of a sequence, all its steps together;
 *     with the labels of records before
 * @param outputs number of classes, or length of the label vector, at least 1; of a network with
 *     several outputs, those of all
 * @param target what the labels mean; of several outputs, those of the first
 * @param columns which features are made of named fields
 * @param structure how features and labels are arranged
 * @param labelLags how many records' labels are the last features, newest first: those that came
 *     before the example's own; 0 for none
 */
public record ExampleShape(
    int features,
    int outputs,
    Target target,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Usual.class)
        FeatureColumns columns,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Usual.class)
        ExampleStructure structure,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int labelLags)
    implements Serializable {

  /** Arrays of numbers. */
  public ExampleShape(int features, int outputs, Target target) {
    this(features, outputs, target, FeatureColumns.PLAIN, ExampleStructure.FLAT);
  }

  /** Makes a shape without the labels of records before. */
  public ExampleShape(
      int features,
      int outputs,
      Target target,
      FeatureColumns columns,
      ExampleStructure structure) {
    this(features, outputs, target, columns, structure, 0);
  }

  public ExampleShape {
    Objects.requireNonNull(target, "target");
    columns = Objects.requireNonNullElse(columns, FeatureColumns.PLAIN);
    structure = Objects.requireNonNullElse(structure, ExampleStructure.FLAT);
    if (features < 1 || outputs < 1) {
      throw new IllegalArgumentException(
          "An example needs at least one feature and one output, not %s and %s"
              .formatted(features, outputs));
    }
    if (target == Target.CLASSIFICATION && outputs < 2) {
      throw new IllegalArgumentException("Classification needs at least two classes, not 1");
    }
    int rows = Math.max(1, structure.steps());
    if (features % rows != 0) {
      throw new IllegalArgumentException(
          "%s features are not the same number for each of %s steps".formatted(features, rows));
    }
    structure.requireFor(features / rows, outputs);
    if (labelLags < 0 || (labelLags > 0 && !structure.equals(ExampleStructure.FLAT))) {
      throw new IllegalArgumentException(
          "%s labels of records before can't be features of sequences or of several inputs"
              .formatted(labelLags));
    }
    if (features <= Math.multiplyExact(labelLags, outputs)) {
      throw new IllegalArgumentException(
          "%s features are all labels of records before".formatted(features));
    }
  }

  /** Returns the same shape with the labels of so many records before, which it has none of yet. */
  public ExampleShape withLabelLags(int lags) {
    int all = Math.addExact(features, Math.multiplyExact(lags, outputs));
    return lags == 0 ? this : new ExampleShape(all, outputs, target, columns, structure, lags);
  }

  /** Returns the same shape with another number of outputs. */
  public ExampleShape withOutputs(int count) {
    return new ExampleShape(
        features + labelLags * (count - outputs), count, target, columns, structure, labelLags);
  }

  /** Returns the shape of what a record holds: it has no labels of records before. */
  public ExampleShape ofRecords() {
    return labelLags == 0
        ? this
        : new ExampleShape(recordFeatures(), outputs, target, columns, structure);
  }

  /** Features of a record itself, which come first. */
  public int recordFeatures() {
    return features - labelLags * outputs;
  }

  /** Rows of features in an example: the steps of a sequence, else 1. */
  public int rows() {
    return Math.max(1, structure.steps());
  }

  /** Features of one row. */
  public int width() {
    return features / rows();
  }

  /** Length of the label vector: the outputs, for each step where each has labels. */
  public int labels() {
    return structure.labelPerStep() ? outputs * structure.steps() : outputs;
  }

  /** Whether an example is one array of features, with one array of labels or a class. */
  @JsonIgnore
  public boolean isFlat() {
    return structure.equals(ExampleStructure.FLAT);
  }

  /**
   * Returns the shape that measures are of: the labels of an example, or of one step; of several
   * outputs those of the first.
   */
  public ExampleShape measured() {
    if (isFlat()) {
      return this;
    }
    return structure.outputs().isEmpty()
        ? new ExampleShape(width(), outputs, target)
        : new ExampleShape(
            width(),
            structure.outputs().get(0).labels().length(),
            structure.outputs().get(0).target());
  }

  /**
   * Returns the output whose value is the probability of the positive class, of {@link #measured}
   * outputs: class 1 of two classes, or the one label of multi-label; -1 where examples aren't
   * positive or negative.
   */
  public int positiveOutput() {
    ExampleShape measured = measured();
    return switch (measured.target) {
      case CLASSIFICATION -> measured.outputs == 2 ? 1 : -1;
      case MULTI_LABEL -> measured.outputs == 1 ? 0 : -1;
      case REGRESSION -> -1;
    };
  }

  /** Whether examples are positive or negative, see {@link #positiveOutput}. */
  public boolean hasTwoClasses() {
    return positiveOutput() >= 0;
  }

  /** Words of an example, those of all its rows. */
  public int words() {
    return rows() * columns.words().size();
  }

  /** What is left out of JSON, which asks by {@link #equals}: what arrays of numbers have. */
  static final class Usual {

    @Override
    public boolean equals(Object other) {
      return other == null
          || FeatureColumns.PLAIN.equals(other)
          || ExampleStructure.FLAT.equals(other);
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }
}
