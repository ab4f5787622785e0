package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/**
 * Convolutions of images. Parameters are [b | W], W as [maps, channels, height, width] row by row,
 * as ONNX has it.
 */
final class ConvolutionNodes {

  private ConvolutionNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.IMAGES);
    int channels = layer.integer("nin");
    int maps = layer.integer("nout");
    long[] kernel = layer.pair("kernelSize");
    int height = (int) kernel[0];
    int width = (int) kernel[1];
    int biases = layer.flag("hasBias") ? maps : 0;
    Value weights =
        graph.constant(
            "W",
            layer.parameters(biases, maps, channels, height, width),
            maps,
            channels,
            height,
            width);
    Value bias = biases == 0 ? Value.NONE : graph.constant("b", layer.parameters(0, maps), maps);
    Map<String, Object> attributes = Windows.of(layer);
    attributes.put("dilations", layer.pair("dilation"));
    Value sums = graph.node("Conv", attributes, input, weights, bias);
    return ActivationNodes.add(graph, layer, sums);
  }
}
