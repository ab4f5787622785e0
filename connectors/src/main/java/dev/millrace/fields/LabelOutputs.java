package dev.millrace.fields;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.util.List;
import java.util.OptionalInt;

/** How many outputs described labels have. */
public final class LabelOutputs {

  private static final int OF_A_RULE = 2;

  private LabelOutputs() {}

  /**
   * The number of outputs, as far as the labels tell; empty where it is the number of classes, which
   * aren't named.
   *
   * @param classes names of the classes; empty where they have none
   */
  public static OptionalInt of(List<LabelField> labels, Target target, List<String> classes) {
    if (target != Target.CLASSIFICATION) {
      return labels.isEmpty() ? OptionalInt.empty() : OptionalInt.of(labels.size());
    }
    if (!classes.isEmpty()) {
      return OptionalInt.of(classes.size());
    }
    return labels.size() == 1 && labels.get(0).ruleOrNull() != null
        ? OptionalInt.of(OF_A_RULE)
        : OptionalInt.empty();
  }

  /**
   * @throws IllegalArgumentException if the labels don't fit the shape, saying what to do
   */
  public static void require(List<LabelField> labels, ExampleShape shape) {
    if (labels.isEmpty()) {
      throw new IllegalArgumentException(
          "No field has the role label; add one, such as {path: label, role: label}");
    }
    if (shape.target() != Target.CLASSIFICATION) {
      if (labels.size() != shape.outputs()) {
        throw new IllegalArgumentException(
            "%d fields have the role label, and there are %d outputs; each has one"
                .formatted(labels.size(), shape.outputs()));
      }
      return;
    }
    if (labels.size() > 1) {
      throw new IllegalArgumentException(
          "%d fields have the role label; a class is one field".formatted(labels.size()));
    }
    if (labels.get(0).ruleOrNull() != null && shape.outputs() != OF_A_RULE) {
      throw new IllegalArgumentException(
          "The label is a rule, which has 2 classes, and there are %d outputs"
              .formatted(shape.outputs()));
    }
  }
}
