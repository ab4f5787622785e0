package dev.millrace.model.dl4j;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.nd4j.vertices.DotVertex;
import java.util.List;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;

/**
 * The built-in network {@code two-tower}: each of two inputs, such as a user's and an item's, goes
 * through dense layers of its own, all rectified but the last. A linear layer takes the dot product
 * of both, which is the score.
 */
final class TwoTowers {

  private static final String SCORE = "score";
  private static final String OUTPUT = "output";

  private TwoTowers() {}

  static ComputationGraphConfiguration configure(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    BuiltInChecks.requireRows(definition, 1);
    BuiltInChecks.requireTowers(definition);
    List<Input> inputs = definition.shape().structure().inputs();
    GraphBuilder graph = BuiltInNetworks.settings(definition).graphBuilder();
    inputs.forEach(input -> graph.addInputs(input.name()));
    graph.setInputTypes(
        inputs.stream()
            .map(input -> InputType.feedForward(input.features().length()))
            .toArray(InputType[]::new));
    String first = tower(graph, "first", inputs.get(0).name(), definition.hidden());
    String second = tower(graph, "second", inputs.get(1).name(), definition.hidden());
    graph
        .addVertex(SCORE, new DotVertex(), first, second)
        .addLayer(OUTPUT, BuiltInNetworks.output(definition), SCORE)
        .setOutputs(OUTPUT);
    requireOtherNames(inputs, graph);
    return graph.build();
  }

  private static String tower(GraphBuilder graph, String name, String input, List<Integer> hidden) {
    String last = input;
    for (int layer = 0; layer < hidden.size(); layer++) {
      int size = hidden.get(layer);
      boolean rectified = layer < hidden.size() - 1;
      DenseLayer dense =
          rectified ? BuiltInNetworks.rectified(size) : BuiltInNetworks.weighed(size);
      graph.addLayer(name + layer, dense, last);
      last = name + layer;
    }
    return last;
  }

  /** Refuses a name that two parts of a graph would have. */
  private static void requireOtherNames(List<Input> inputs, GraphBuilder graph) {
    for (Input input : inputs) {
      if (graph.getVertices().containsKey(input.name())) {
        throw new InvalidModelException(
            ("The network two-tower has a part of the name '%s' itself; give the input of these"
                    + " fields another name")
                .formatted(input.name()));
      }
    }
  }
}
