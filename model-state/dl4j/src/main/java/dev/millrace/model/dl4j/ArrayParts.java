package dev.millrace.model.dl4j;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import java.util.List;

/** Which part of an example each input and output of a network is, in the network's order. */
final class ArrayParts {

  private ArrayParts() {}

  /**
   * @throws IllegalArgumentException if features are no image such as an input takes
   */
  static List<ArrayPart> ofInputs(Network network, ExampleShape shape) {
    return network.inputs().stream().map(input -> ofInput(network, input, shape)).toList();
  }

  private static ArrayPart ofInput(Network network, String input, ExampleShape shape) {
    IndexRange values = featuresOf(input, shape);
    return shape.structure().isSequence() && takesSteps(network, input, shape)
        ? ArrayPart.ofSteps(values)
        : ArrayPart.ofRow(values, InputRows.shape(network, input, values.length()));
  }

  /**
   * Says whether an input takes a value for each step. One of several inputs may take what is the
   * same in all steps: it is fed with the first one's.
   */
  private static boolean takesSteps(Network network, String input, ExampleShape shape) {
    return shape.structure().inputs().isEmpty()
        || network.firstPreProcessor(input) != null
        || !RecurrentLayers.takesRows(network.firstLayer(input));
  }

  /** Returns the features of an input in an example, or in each step. */
  static IndexRange featuresOf(String input, ExampleShape shape) {
    return shape.structure().inputs().stream()
        .filter(named -> named.name().equals(input))
        .map(ExampleStructure.Input::features)
        .findFirst()
        .orElseGet(() -> new IndexRange(0, shape.width()));
  }

  static List<ArrayPart> ofOutputs(Network network, ExampleShape shape) {
    return network.outputs().stream().map(output -> ofOutput(output, shape)).toList();
  }

  private static ArrayPart ofOutput(String output, ExampleShape shape) {
    IndexRange labels =
        shape.structure().outputs().stream()
            .filter(named -> named.name().equals(output))
            .map(ExampleStructure.Output::labels)
            .findFirst()
            .orElseGet(() -> new IndexRange(0, shape.outputs()));
    return shape.structure().labelPerStep()
        ? ArrayPart.ofSteps(labels)
        : ArrayPart.ofRow(labels, labels.length());
  }
}
