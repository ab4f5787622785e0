package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** A layer's activation function. */
final class ActivationNodes {

  private static final String PREFIX = "Activation";

  private ActivationNodes() {}

  /** DL4J's name of the function, such as {@code ReLU}. */
  static String nameOf(JsonNode function) {
    return Dl4jLayer.typeOf(function).replaceFirst(PREFIX, "");
  }

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value x) {
    JsonNode function = layer.json().path("activationFn");
    return switch (nameOf(function)) {
      case "Identity" -> x;
      case "ReLU" -> {
        for (String extra : new String[] {"max", "negativeSlope", "threshold"}) {
          layer.require(function.path(extra).asDouble(0) == 0, "its rectifier has a " + extra);
        }
        yield graph.node("Relu", x);
      }
      case "ReLU6" -> graph.node("Clip", x, graph.constant("low", 0), graph.constant("high", 6));
      case "LReLU" -> graph.node("LeakyRelu", alpha(function), x);
      case "ELU" -> graph.node("Elu", alpha(function), x);
      case "SELU" -> graph.node("Selu", x);
      case "Sigmoid" -> graph.node("Sigmoid", x);
      case "HardSigmoid" -> graph.node("HardSigmoid", Map.of("alpha", 0.2f, "beta", 0.5f), x);
      case "TanH" -> graph.node("Tanh", x);
      case "HardTanH" ->
          graph.node("Clip", x, graph.constant("low", -1), graph.constant("high", 1));
      case "SoftPlus" -> graph.node("Softplus", x);
      case "SoftSign" -> graph.node("Softsign", x);
      case "Swish" -> graph.node("Mul", x, graph.node("Sigmoid", x));
      case "Cube" -> graph.node("Mul", x, graph.node("Mul", x, x));
      case "Softmax" -> {
        layer.requireForm(x, TensorLayout.ROWS, TensorLayout.STEPS);
        yield graph.node("Softmax", Map.of("axis", -1L), x);
      }
      default -> throw layer.refusal("its activation function is " + nameOf(function));
    };
  }

  private static Map<String, Float> alpha(JsonNode function) {
    return Map.of("alpha", (float) function.path("alpha").asDouble());
  }
}
