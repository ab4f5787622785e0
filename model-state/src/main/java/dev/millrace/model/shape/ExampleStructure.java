package dev.millrace.model.shape;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How an example's features and labels are arranged.
 *
 * @param steps the most steps that a sequence has; 0 where examples are no sequences. Features are
 *     those of step 0, of step 1 and so on, zeros after the last step
 * @param labelPerStep whether each step has labels of its own, arranged as the features are;
 *     otherwise a sequence has one
 * @param inputs of a network that takes several arrays: what features each of them has; empty where
 *     one input takes all features
 * @param outputs of a network that gives several arrays: what labels each of them has; empty where
 *     one output gives all
 */
public record ExampleStructure(
    int steps, boolean labelPerStep, List<Input> inputs, List<Output> outputs)
    implements Serializable {

  /** One array of features, one label. */
  public static final ExampleStructure FLAT = new ExampleStructure(0, false);

  /**
   * An input of a network.
   *
   * @param name that the network has for it
   * @param features that it takes, of the example or, of a sequence, of each step
   */
  public record Input(String name, IndexRange features) implements Serializable {

    public Input {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(features, "features");
    }
  }

  /**
   * An output of a network.
   *
   * @param name that the network has for it
   * @param labels that describe it, of the example or of each step
   * @param target what they mean
   */
  public record Output(String name, IndexRange labels, Target target) implements Serializable {

    public Output {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(labels, "labels");
      Objects.requireNonNull(target, "target");
    }
  }

  /** Makes the structure of a network with one input and one output. */
  public ExampleStructure(int steps, boolean labelPerStep) {
    this(steps, labelPerStep, List.of(), List.of());
  }

  public ExampleStructure {
    inputs = inputs == null ? List.of() : List.copyOf(inputs);
    outputs = outputs == null ? List.of() : List.copyOf(outputs);
    if (steps < 0 || (steps == 0 && labelPerStep)) {
      throw new IllegalArgumentException("Labels for each of %s steps".formatted(steps));
    }
  }

  @JsonIgnore
  public boolean isSequence() {
    return steps > 0;
  }

  /**
   * Checks that inputs share out all features of a row, in their order, and outputs all its labels.
   *
   * @throws IllegalArgumentException if not, naming what is wrong
   */
  void requireFor(int width, int labels) {
    requireAll("input", inputs.stream().map(Input::name).toList(), features(), width);
    requireAll(
        "output",
        outputs.stream().map(Output::name).toList(),
        outputs.stream().map(Output::labels).toList(),
        labels);
    for (Output output : outputs) {
      if (output.target() == Target.CLASSIFICATION && output.labels().length() < 2) {
        throw new IllegalArgumentException(
            "Classification needs at least two classes, and the output \"%s\" has one"
                .formatted(output.name()));
      }
    }
  }

  private List<IndexRange> features() {
    return inputs.stream().map(Input::features).toList();
  }

  private static void requireAll(
      String what, List<String> names, List<IndexRange> ranges, int length) {
    if (names.isEmpty()) {
      return;
    }
    int end = 0;
    Set<String> known = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      if (!known.add(names.get(i))) {
        throw new IllegalArgumentException(
            "There are two %ss \"%s\"".formatted(what, names.get(i)));
      }
      if (ranges.get(i).from() != end || ranges.get(i).length() < 1) {
        throw new IllegalArgumentException(
            "The %s \"%s\" has the values %s to %s, and the next is %s"
                .formatted(what, names.get(i), ranges.get(i).from(), ranges.get(i).to() - 1, end));
      }
      end = ranges.get(i).to();
    }
    if (end != length) {
      throw new IllegalArgumentException(
          "All %ss have %s values, and an example has %s".formatted(what, end, length));
    }
  }
}
