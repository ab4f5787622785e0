package dev.millrace.onnx.torch;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.Value;
import dev.millrace.onnx.torch.Tensors.Tensor;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** PyTorch's operators as nodes, with the arguments that they have in TorchScript. */
final class Operators {

  private final OnnxGraph graph;
  private final Tensors tensors;

  Operators(OnnxGraph graph, Tensors tensors) {
    this.graph = graph;
    this.tensors = tensors;
  }

  /** A tensor of the module. */
  Tensor tensor(String name) {
    return tensors.named(name).orElseThrow(() -> new UnsupportedOperationException("self." + name));
  }

  /**
   * Adds an operator's nodes.
   *
   * @throws UnsupportedOperationException if there are none for it, or for these arguments; the
   *     message says what
   */
  Value apply(String name, List<Object> arguments) {
    try {
      return switch (name) {
        case "linear" -> linear(arguments);
        case "conv2d" -> convolution(arguments, 6);
        case "_convolution" -> {
          // What traced modules call: with a transposition, the padding of its output, and more.
          require(arguments.get(6).equals(false));
          yield convolution(arguments, 8);
        }
        case "batch_norm" -> batchNormalization(arguments);
        case "dropout" -> {
          require(arguments.get(2).equals(false));
          yield value(arguments, 0);
        }
        case "max_pool2d" -> maxPooling(arguments);
        case "relu" -> graph.node("Relu", value(arguments, 0));
        case "sigmoid" -> graph.node("Sigmoid", value(arguments, 0));
        case "tanh" -> graph.node("Tanh", value(arguments, 0));
        case "add", "sub", "mul" -> {
          require(arguments.size() == 2);
          String operator = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
          yield graph.node(operator, value(arguments, 0), term(arguments.get(1)));
        }
        case "cat" -> concatenation(arguments);
        case "narrow" -> narrow(arguments);
        case "sum" -> sum(arguments);
        case "flatten" -> {
          require(arguments.equals(Arrays.asList(arguments.get(0), 1L)));
          yield graph.node("Flatten", Map.of("axis", 1L), value(arguments, 0));
        }
        case "view", "reshape" -> {
          long[] shape = numbers(arguments, 1, 0, 0);
          yield graph.node("Reshape", value(arguments, 0), graph.integers("shape", shape));
        }
        default -> throw new UnsupportedOperationException();
      };
    } catch (UnsupportedOperationException
        | ClassCastException
        | NullPointerException
        | IndexOutOfBoundsException e) {
      throw new UnsupportedOperationException("torch.%s".formatted(name), e);
    }
  }

  /** A tensor, or a number. */
  private Value term(Object argument) {
    return argument instanceof Double number
        ? graph.constant("number", number.floatValue())
        : (Value) argument;
  }

  private Value concatenation(List<Object> arguments) {
    Value[] parts =
        ((List<?>) arguments.get(0)).stream().map(Value.class::cast).toArray(Value[]::new);
    return graph.node("Concat", Map.of("axis", (Long) arguments.get(1)), parts);
  }

  /** Some neighbouring values of a dimension. */
  private Value narrow(List<Object> arguments) {
    long from = (Long) arguments.get(2);
    return graph.node(
        "Slice",
        value(arguments, 0),
        graph.integers("from", from),
        graph.integers("to", from + (Long) arguments.get(3)),
        graph.integers("axis", (Long) arguments.get(1)));
  }

  private Value sum(List<Object> arguments) {
    boolean keep = arguments.size() > 2 && (Boolean) arguments.get(2);
    return graph.node(
        "ReduceSum",
        Map.of("keepdims", keep ? 1L : 0L),
        value(arguments, 0),
        graph.integers("axes", numbers(arguments, 1, 0, 0)));
  }

  private Value linear(List<Object> arguments) {
    Value weight = constant(arguments, 1);
    Value bias = constant(arguments, 2);
    return graph.node("Gemm", Map.of("transB", 1L), value(arguments, 0), weight, bias);
  }

  /**
   * @param group which argument says how many groups of channels there are
   */
  private Value convolution(List<Object> arguments, int group) {
    long[] padding = numbers(arguments, 4, 0, 2);
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("strides", numbers(arguments, 3, 1, 2));
    attributes.put("pads", new long[] {padding[0], padding[1], padding[0], padding[1]});
    attributes.put("dilations", numbers(arguments, 5, 1, 2));
    attributes.put("group", arguments.size() > group ? (Long) arguments.get(group) : 1L);
    return graph.node(
        "Conv", attributes, value(arguments, 0), constant(arguments, 1), constant(arguments, 2));
  }

  /** Normalizes by running statistics. */
  private Value batchNormalization(List<Object> arguments) {
    require(arguments.get(5).equals(false));
    double epsilon = (Double) arguments.get(7);
    return graph.node(
        "BatchNormalization",
        Map.of("epsilon", (float) epsilon),
        value(arguments, 0),
        constant(arguments, 1),
        constant(arguments, 2),
        constant(arguments, 3),
        constant(arguments, 4));
  }

  private Value maxPooling(List<Object> arguments) {
    require(arguments.size() <= 5 || arguments.get(5).equals(false));
    long[] kernel = numbers(arguments, 1, 0, 2);
    long[] strides = numbers(arguments, 2, 0, 2);
    long[] padding = numbers(arguments, 3, 0, 2);
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("kernel_shape", kernel);
    attributes.put("strides", strides[0] == 0 ? kernel : strides);
    attributes.put("pads", new long[] {padding[0], padding[1], padding[0], padding[1]});
    attributes.put("dilations", numbers(arguments, 4, 1, 2));
    return graph.node("MaxPool", attributes, value(arguments, 0));
  }

  private static Value value(List<Object> arguments, int index) {
    return (Value) arguments.get(index);
  }

  /** A tensor of the module as a part of the graph. */
  private Value constant(List<Object> arguments, int index) {
    Object argument = arguments.size() > index ? arguments.get(index) : null;
    if (argument == null) {
      return Value.NONE;
    }
    Tensor tensor = (Tensor) argument;
    return graph.constant(tensor.name(), tensor.values(), tensor.shape());
  }

  /**
   * @param usual in the place of an argument that isn't given
   * @param count how many that is
   */
  private static long[] numbers(List<Object> arguments, int index, long usual, int count) {
    List<?> given = arguments.size() > index ? (List<?>) arguments.get(index) : List.of();
    return (given.isEmpty() ? Collections.nCopies(count, usual) : given)
        .stream().mapToLong(Long.class::cast).toArray();
  }

  private static void require(boolean known) {
    if (!known) {
      throw new UnsupportedOperationException();
    }
  }
}
