package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.List;
import java.util.Map;

/** Vertices of a graph that are no layers. */
final class VertexNodes {

  private VertexNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer vertex, List<Value> inputs) {
    String before = graph.enter(vertex.name());
    Value output = nodes(graph, vertex, inputs);
    graph.enter(before);
    return output;
  }

  private static Value nodes(OnnxGraph graph, Dl4jLayer vertex, List<Value> inputs) {
    Value first = inputs.get(0);
    Value[] all = inputs.toArray(Value[]::new);
    return switch (vertex.type()) {
      case "MergeVertex" -> graph.node("Concat", Map.of("axis", values(vertex, first)), all);
      case "ElementWiseVertex" -> elementWise(graph, vertex, all);
      case "ScaleVertex" ->
          graph.node("Mul", first, graph.constant("factor", (float) vertex.number("scaleFactor")));
      case "ShiftVertex" ->
          graph.node("Add", first, graph.constant("term", (float) vertex.number("shiftFactor")));
      case "SubsetVertex" ->
          graph.node(
              "Slice",
              first,
              graph.integers("from", vertex.integer("from")),
              // DL4J's is the last one's place.
              graph.integers("to", vertex.integer("to") + 1L),
              graph.integers("axis", values(vertex, first)));
      case "WideVertex" -> WideNodes.add(graph, vertex, first);
      case "DotVertex" ->
          graph.node("ReduceSum", graph.node("Mul", all), graph.integers("axes", 1));
      case "LastTimeStepVertex" -> LastStepNodes.of(graph, vertex, first);
      case "PreprocessorVertex" ->
          PreProcessorNodes.add(graph, vertex.inner("preProcessor"), first);
      default -> throw vertex.refusal("this kind isn't among those that are");
    };
  }

  /** Returns which dimension has the values, or the channels. */
  private static long values(Dl4jLayer vertex, Value value) {
    vertex.requireForm(value, TensorLayout.ROWS, TensorLayout.SEQUENCE, TensorLayout.IMAGES);
    return 1;
  }

  private static Value elementWise(OnnxGraph graph, Dl4jLayer vertex, Value... inputs) {
    return switch (vertex.text("op")) {
      case "Add" -> graph.node("Sum", inputs);
      case "Average" -> graph.node("Mean", inputs);
      case "Max" -> graph.node("Max", inputs);
      case "Subtract" -> graph.node("Sub", inputs);
      case "Product" -> {
        Value product = inputs[0];
        for (int i = 1; i < inputs.length; i++) {
          product = graph.node("Mul", product, inputs[i]);
        }
        yield product;
      }
      default -> throw vertex.refusal("it combines by " + vertex.text("op"));
    };
  }
}
