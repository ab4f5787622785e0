package dev.millrace.fields;

import dev.millrace.example.ClassNames;
import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.Target;
import java.io.Serializable;

/** Makes one label, or the one-hot labels of a class, of a label's value. */
final class LabelStep implements Serializable {

  private final LabelField field;
  private final PlannedField planned;
  private final Target target;
  private final int first;
  private final int outputs;
  private final ClassNames classes;

  /**
   * @param first the label, or the first of the classes, that it writes
   * @param outputs how many classes there are
   */
  LabelStep(
      LabelField field,
      PlannedField planned,
      Target target,
      int first,
      int outputs,
      ClassNames classes) {
    this.field = field;
    this.planned = planned;
    this.target = target;
    this.first = first;
    this.outputs = outputs;
    this.classes = classes;
  }

  /**
   * Writes the label.
   *
   * @param labels all 0
   * @param from the record's, or the step's, first label
   */
  void read(FieldValues record, FieldValues stepOrNull, float[] labels, int from)
      throws InvalidExampleException {
    FieldValues values = planned.among(record, stepOrNull);
    int at = planned.require(values);
    if (target == Target.CLASSIFICATION) {
      labels[from + first + classOf(values, at)] = 1;
    } else {
      labels[from + first] = number(values, at);
    }
  }

  private String name() {
    return field.source().name();
  }

  private float number(FieldValues values, int at) throws InvalidExampleException {
    if (field.ruleOrNull() != null) {
      return field.ruleOrNull().holds(values, at, name()) ? 1 : 0;
    }
    if (target == Target.MULTI_LABEL && Value.isTruth(values, at)) {
      return Value.truth(values, at, name()) ? 1 : 0;
    }
    float number = Value.toFloat(Value.number(values, at, name()), name());
    if (target == Target.MULTI_LABEL && !(number >= 0 && number <= 1)) {
      throw Value.expected("a label from 0 to 1", values, at, name());
    }
    return number;
  }

  private int classOf(FieldValues values, int at) throws InvalidExampleException {
    if (field.ruleOrNull() != null) {
      return field.ruleOrNull().holds(values, at, name()) ? 1 : 0;
    }
    if (!classes.areGiven()) {
      return numbered(values, at);
    }
    String text = Value.text(values, at, name());
    int label = classes.find(text);
    if (label != ClassNames.UNKNOWN) {
      return label;
    }
    double number =
        switch (values.kind(at)) {
          case LONG, DOUBLE -> Value.number(values, at, name());
          case TEXT, CELL -> values.number(at);
          default -> Double.NaN;
        };
    if (classes.areNumeric()) {
      return classes.meant(number, text);
    }
    if (Double.isNaN(number)) {
      throw new InvalidExampleException(
          "field \"%s\": label is no class name: %s".formatted(name(), Excerpt.of(text)));
    }
    return numbered(values, at);
  }

  private int numbered(FieldValues values, int at) throws InvalidExampleException {
    if (outputs == 2 && Value.isTruth(values, at)) {
      return Value.truth(values, at, name()) ? 1 : 0;
    }
    double number = Value.number(values, at, name());
    if (Math.rint(number) != number || number < 0 || number >= outputs) {
      throw Value.expected("a class from 0 to " + (outputs - 1), values, at, name());
    }
    return (int) number;
  }
}
