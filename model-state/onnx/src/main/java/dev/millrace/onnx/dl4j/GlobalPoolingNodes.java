package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** Pooling over all pixels of an image, or all steps of a sequence. */
final class GlobalPoolingNodes {

  private GlobalPoolingNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.IMAGES, TensorLayout.SEQUENCE);
    layer.require(layer.flag("collapseDimensions"), "it keeps dimensions of size 1");
    long[] axes = input.form() == TensorLayout.IMAGES ? new long[] {2, 3} : new long[] {2};
    Map<String, Object> attributes = Map.of("keepdims", 0L, "axes", axes);
    Value pooled =
        switch (layer.text("poolingType")) {
          case "MAX" -> graph.node("ReduceMax", attributes, input);
          case "AVG" -> graph.node("ReduceMean", attributes, input);
          // Since opset 13 it takes its axes as an input.
          case "SUM" ->
              graph.node("ReduceSum", Map.of("keepdims", 0L), input, graph.integers("axes", axes));
          case "PNORM" -> {
            layer.require(layer.integer("pnorm") == 2, "it pools by another norm than 2");
            yield graph.node("ReduceL2", attributes, input);
          }
          default -> throw layer.refusal("it pools by " + layer.text("poolingType"));
        };
    return pooled.as(TensorLayout.ROWS);
  }
}
