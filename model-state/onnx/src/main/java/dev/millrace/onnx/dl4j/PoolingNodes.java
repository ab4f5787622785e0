package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Arrays;
import java.util.Map;

/** Pooling of images by windows. */
final class PoolingNodes {

  private PoolingNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.IMAGES);
    layer.require(
        Arrays.equals(layer.pair("dilation"), new long[] {1, 1}), "its windows are dilated");
    Map<String, Object> attributes = Windows.of(layer);
    return switch (layer.text("poolingType")) {
      case "MAX" -> graph.node("MaxPool", attributes, input);
      case "AVG" -> {
        attributes.put("count_include_pad", layer.flag("avgPoolIncludePadInDivisor") ? 1L : 0L);
        yield graph.node("AveragePool", attributes, input);
      }
      case "PNORM" -> {
        attributes.put("p", (long) layer.integer("pnorm"));
        yield graph.node("LpPool", attributes, input);
      }
      default -> throw layer.refusal("it pools by " + layer.text("poolingType"));
    };
  }
}
