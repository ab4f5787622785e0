package dev.millrace.model.dl4j;

import java.util.List;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.GraphVertex;
import org.deeplearning4j.nn.graph.vertex.impl.InputVertex;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The vertex of a graph's input, to which the gradient of the input comes: of an input that several
 * vertices take, the sum of theirs. It is in the graph, never in its configuration.
 */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
final class GraphInput extends InputVertex {

  private static final long serialVersionUID = 1;

  private final int input;
  private transient InputTaker takerOrNull;

  private GraphInput(GraphVertex vertex, int input, ComputationGraph graph) {
    super(
        graph,
        vertex.getVertexName(),
        vertex.getVertexIndex(),
        vertex.getOutputVertices(),
        graph.getConfiguration().getDefaultConfiguration().getDataType());
    this.input = input;
  }

  /** Puts one in the place of each input of an initialized graph. */
  static void in(ComputationGraph graph) {
    List<String> inputs = graph.getConfiguration().getNetworkInputs();
    GraphVertex[] vertices = graph.getVertices();
    for (int i = 0; i < vertices.length; i++) {
      if (vertices[i].isInputVertex()) {
        vertices[i] =
            new GraphInput(vertices[i], inputs.indexOf(vertices[i].getVertexName()), graph);
      }
    }
  }

  /** Has the taker take the gradients of the inputs in a step of the graph's. */
  static void during(ComputationGraph graph, InputTaker taker, Runnable step) {
    tell(graph, taker);
    try {
      step.run();
    } finally {
      tell(graph, null);
    }
  }

  private static void tell(ComputationGraph graph, InputTaker takerOrNull) {
    for (GraphVertex vertex : graph.getVertices()) {
      if (vertex instanceof GraphInput input) {
        input.takerOrNull = takerOrNull;
      }
    }
  }

  @Override
  public void setEpsilon(INDArray gradient) {
    super.setEpsilon(gradient);
    if (takerOrNull != null && gradient != null) {
      takerOrNull.take(input, gradient);
    }
  }
}
