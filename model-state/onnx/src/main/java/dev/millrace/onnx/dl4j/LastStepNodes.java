package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** The last step of a sequence. */
final class LastStepNodes {

  private LastStepNodes() {}

  /** Adds the last step of what another layer gives. */
  static Value layer(OnnxGraph graph, Dl4jLayer layer, Value input) {
    return of(graph, layer, LayerNodes.of(graph, layer.inner("underlying"), input));
  }

  static Value of(OnnxGraph graph, Dl4jLayer layer, Value sequence) {
    layer.requireForm(sequence, TensorLayout.SEQUENCE);
    return graph
        .node("Gather", Map.of("axis", 2L), sequence, graph.integer("last", -1))
        .as(TensorLayout.ROWS);
  }
}
