package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;

/** Dense layers: {@code activation(x W + b)} of each row. Parameters are [W by columns | b]. */
final class DenseNodes {

  private DenseNodes() {}

  /** Adds a dense layer of rows, also of the steps of a sequence as rows. */
  static Value rows(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.ROWS, TensorLayout.STEPS);
    layer.require(!layer.flag("hasLayerNorm"), "it normalizes its sums (hasLayerNorm)");
    int inputs = layer.integer("nin");
    int outputs = layer.integer("nout");
    Value weights = graph.constant("W", layer.matrix(0, inputs, outputs), inputs, outputs);
    Value sums = graph.node("MatMul", input, weights);
    if (layer.flag("hasBias")) {
      float[] bias = layer.parameters(inputs * outputs, outputs);
      sums = graph.node("Add", sums, graph.constant("b", bias, outputs));
    }
    return ActivationNodes.add(graph, layer, sums);
  }

  /** Adds a dense layer of each step of a sequence. */
  static Value steps(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.SEQUENCE);
    return rows(graph, layer, graph.transposed(input, TensorLayout.STEPS, 0, 2, 1));
  }
}
