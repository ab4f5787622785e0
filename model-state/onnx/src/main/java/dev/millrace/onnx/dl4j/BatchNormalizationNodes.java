package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Arrays;
import java.util.Map;

/**
 * Batch normalization by running statistics. Parameters are [gamma | beta | mean | variance],
 * without the first two where they are locked; in place of a variance there may be the logarithm to
 * the base of 10 of the deviation.
 */
final class BatchNormalizationNodes {

  private BatchNormalizationNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.ROWS, TensorLayout.IMAGES);
    int size = layer.integer("nout");
    boolean locked = layer.flag("lockGammaBeta");
    int statistics = locked ? 0 : 2 * size;
    float[] variance = layer.parameters(statistics + size, size);
    if (layer.flag("useLogStd")) {
      for (int i = 0; i < size; i++) {
        variance[i] = (float) Math.pow(10, 2.0 * variance[i]);
      }
    }
    return graph.node(
        "BatchNormalization",
        Map.of("epsilon", (float) layer.number("eps")),
        input,
        graph.constant(
            "gamma", locked ? all(layer, "gamma", size) : layer.parameters(0, size), size),
        graph.constant(
            "beta", locked ? all(layer, "beta", size) : layer.parameters(size, size), size),
        graph.constant("mean", layer.parameters(statistics, size), size),
        graph.constant("variance", variance, size));
  }

  private static float[] all(Dl4jLayer layer, String key, int size) {
    float[] values = new float[size];
    Arrays.fill(values, (float) layer.number(key));
    return values;
  }
}
