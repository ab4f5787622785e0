package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** Embeddings: a row of W for each number. Parameters are [W by columns | b]. */
final class EmbeddingNodes {

  private static final long INT64 = 7;

  private EmbeddingNodes() {}

  /** Embeds one number for each example. */
  static Value rows(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.ROWS);
    Value found = found(graph, layer, input);
    Value row = graph.node("Squeeze", found, graph.integers("number", 1)).as(TensorLayout.ROWS);
    return ActivationNodes.add(graph, layer, row);
  }

  /** Embeds a number for each step, which a row's values are, too. */
  static Value steps(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.ROWS, TensorLayout.SEQUENCE);
    Value numbers =
        input.form() == TensorLayout.ROWS
            ? input
            : graph.node("Squeeze", input, graph.integers("number", 1));
    Value activated =
        ActivationNodes.add(graph, layer, found(graph, layer, numbers).as(TensorLayout.STEPS));
    return graph.transposed(activated, TensorLayout.SEQUENCE, 0, 2, 1);
  }

  private static Value found(OnnxGraph graph, Dl4jLayer layer, Value numbers) {
    int things = layer.integer("nin");
    int size = layer.integer("nout");
    graph.takesIds(things);
    Value ids = graph.node("Cast", Map.of("to", INT64), numbers);
    Value rows =
        graph.node("Gather", graph.constant("W", layer.matrix(0, things, size), things, size), ids);
    return layer.flag("hasBias")
        ? graph.node("Add", rows, graph.constant("b", layer.parameters(things * size, size), size))
        : rows;
  }
}
