package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * LSTMs, without peepholes or, as of Graves, with them. Parameters are [W | R | b], matrices by
 * columns. Their columns come in four groups: candidate, forget gate, output gate, input gate. R of
 * Graves has three more columns: the peepholes of forget, output and input gate.
 */
final class LstmNodes {

  /** DL4J's groups in the order that ONNX has: input, output, forget, candidate. */
  private static final int[] GROUPS = {3, 2, 1, 0};

  /** DL4J's peepholes in the order that ONNX has: input, output, forget. */
  private static final int[] PEEPHOLES = {2, 1, 0};

  private LstmNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer layer, Value input) {
    layer.requireForm(input, TensorLayout.SEQUENCE);
    int inputs = layer.integer("nin");
    int size = layer.integer("nout");
    int peepholes = layer.type().equals("GravesLSTM") ? PEEPHOLES.length : 0;
    int columns = 4 * size + peepholes;
    int bias = inputs * 4 * size + size * columns;

    Map<String, Object> attributes = new HashMap<>();
    attributes.put("hidden_size", (long) size);
    activations(layer, attributes);
    Value steps =
        graph.node(
            "LSTM",
            attributes,
            graph.transposed(input, TensorLayout.OTHER, 2, 0, 1),
            graph.constant("W", groups(layer, 0, inputs, size), 1, 4L * size, inputs),
            graph.constant("R", groups(layer, inputs * 4 * size, size, size), 1, 4L * size, size),
            graph.constant("b", biases(layer, bias, size), 1, 8L * size),
            Value.NONE,
            Value.NONE,
            Value.NONE,
            peepholes == 0
                ? Value.NONE
                : graph.constant(
                    "P",
                    peepholes(layer, inputs * 4 * size + size * 4 * size, size),
                    1,
                    3L * size));
    // [steps, directions, examples, values]
    Value oneDirection = graph.node("Squeeze", steps, graph.integers("direction", 1));
    return graph.transposed(oneDirection, TensorLayout.SEQUENCE, 1, 2, 0);
  }

  /**
   * Lays weights out as ONNX takes them: a row for each unit of each group, which DL4J's columns
   * are.
   */
  private static float[] groups(Dl4jLayer layer, int from, int rows, int size) {
    float[] weights = new float[4 * size * rows];
    for (int group = 0; group < GROUPS.length; group++) {
      float[] columns = layer.parameters(from + GROUPS[group] * size * rows, size, rows);
      System.arraycopy(columns, 0, weights, group * size * rows, columns.length);
    }
    return weights;
  }

  /** ONNX has a second bias, for what comes from the step before; it is 0. */
  private static float[] biases(Dl4jLayer layer, int from, int size) {
    float[] biases = new float[8 * size];
    System.arraycopy(groups(layer, from, 1, size), 0, biases, 0, 4 * size);
    return biases;
  }

  private static float[] peepholes(Dl4jLayer layer, int from, int size) {
    float[] peepholes = new float[3 * size];
    for (int gate = 0; gate < PEEPHOLES.length; gate++) {
      float[] column = layer.parameters(from + PEEPHOLES[gate] * size, size);
      System.arraycopy(column, 0, peepholes, gate * size, size);
    }
    return peepholes;
  }

  /** Names the activations of the gates, of the candidate, and of the state on its way out. */
  private static void activations(Dl4jLayer layer, Map<String, Object> attributes) {
    JsonNode gate = layer.json().path("gateActivationFn");
    JsonNode own = layer.json().path("activationFn");
    String[] names = {name(layer, gate), name(layer, own), name(layer, own)};
    attributes.put("activations", names);
    attributes.put("activation_alpha", new float[] {alpha(gate), alpha(own), alpha(own)});
    attributes.put("activation_beta", new float[] {beta(gate), beta(own), beta(own)});
  }

  private static String name(Dl4jLayer layer, JsonNode function) {
    String name = ActivationNodes.nameOf(function);
    return switch (name) {
      case "Sigmoid", "HardSigmoid" -> name;
      case "TanH" -> "Tanh";
      case "ReLU" -> "Relu";
      case "SoftSign" -> "Softsign";
      case "Identity" -> "Affine";
      default -> throw layer.refusal("one of its activation functions is " + name);
    };
  }

  private static float alpha(JsonNode function) {
    return ActivationNodes.nameOf(function).equals("HardSigmoid") ? 0.2f : 1;
  }

  private static float beta(JsonNode function) {
    return ActivationNodes.nameOf(function).equals("HardSigmoid") ? 0.5f : 0;
  }
}
