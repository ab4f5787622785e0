package dev.millrace.fields;

import dev.millrace.example.ClassNames;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** How many outputs described labels have. */
public final class LabelOutputs {

  private static final int OF_A_RULE = 2;

  private LabelOutputs() {}

  /**
   * The number of outputs, as far as the labels tell; empty where it is the number of classes,
   * which aren't named.
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
   * Returns what makes the labels: a field for each class label, and one for each other label.
   *
   * @throws IllegalArgumentException if the fields don't fit the shape, saying what to do
   */
  static LabelStep[] steps(
      List<LabelField> labels, ExampleShape shape, List<String> classes, PlanBuilder builder) {
    if (labels.isEmpty()) {
      throw new IllegalArgumentException(
          "No field has the role label; add one, such as {path: label, role: label}");
    }
    List<LabelStep> steps = new ArrayList<>();
    for (Output output : outputs(shape)) {
      boolean classification = output.target() == Target.CLASSIFICATION;
      int width = output.labels().length();
      ClassNames names =
          new ClassNames(classes, new ExampleShape(1, Math.max(2, width), output.target()));
      int count = classification ? 1 : width;
      for (int i = 0; i < count && steps.size() < labels.size(); i++) {
        LabelField label = labels.get(steps.size());
        if (classification && label.ruleOrNull() != null && width != OF_A_RULE) {
          throw new IllegalArgumentException(
              "The label \"%s\" is a rule, which has 2 classes, and there are %s"
                  .formatted(label.source().name(), width));
        }
        steps.add(
            new LabelStep(
                label,
                builder.add(label.source()),
                output.target(),
                output.labels().from() + i,
                width,
                names));
      }
    }
    int wanted =
        outputs(shape).stream()
            .mapToInt(
                output -> output.target() == Target.CLASSIFICATION ? 1 : output.labels().length())
            .sum();
    if (labels.size() != wanted) {
      throw new IllegalArgumentException(
          "%s fields have the role label, and %s are needed: one for a class, else one for each output"
              .formatted(labels.size(), wanted));
    }
    return steps.toArray(LabelStep[]::new);
  }

  /** The outputs; all labels together where there is but one. */
  private static List<Output> outputs(ExampleShape shape) {
    return shape.structure().outputs().isEmpty()
        ? List.of(new Output("", new IndexRange(0, shape.outputs()), shape.target()))
        : shape.structure().outputs();
  }
}
