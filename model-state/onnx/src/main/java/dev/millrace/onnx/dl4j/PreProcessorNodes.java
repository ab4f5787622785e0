package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** What DL4J puts between layers that arrange values in different ways. */
final class PreProcessorNodes {

  private static final String NHWC = "NHWC";

  private PreProcessorNodes() {}

  /**
   * @param processor the preprocessor, with the name of the layer that it stands before
   */
  static Value add(OnnxGraph graph, Dl4jLayer processor, Value input) {
    String before = graph.enter(processor.name());
    Value output = nodes(graph, processor, input);
    graph.enter(before);
    return output;
  }

  private static Value nodes(OnnxGraph graph, Dl4jLayer processor, Value input) {
    return switch (processor.type()) {
      case "FeedForwardToCnnPreProcessor" -> {
        processor.requireForm(input, TensorLayout.ROWS);
        yield images(
            graph,
            input,
            processor.integer("numChannels"),
            processor.integer("inputHeight"),
            processor.integer("inputWidth"));
      }
      case "CnnToFeedForwardPreProcessor" -> flattened(graph, processor, input);
      case "RnnToFeedForwardPreProcessor" -> {
        // DL4J puts one behind pooled steps, too, where it does nothing.
        if (input.form() == TensorLayout.ROWS) {
          yield input;
        }
        processor.requireForm(input, TensorLayout.SEQUENCE);
        yield graph.transposed(input, TensorLayout.STEPS, 0, 2, 1);
      }
      case "FeedForwardToRnnPreProcessor" -> {
        processor.requireForm(input, TensorLayout.STEPS);
        yield graph.transposed(input, TensorLayout.SEQUENCE, 0, 2, 1);
      }
      case "ComposableInputPreProcessor" -> {
        Value value = input;
        for (JsonNode one : processor.json().path("inputPreProcessors")) {
          value = nodes(graph, new Dl4jLayer(processor.name(), one, new float[0]), value);
        }
        yield value;
      }
      default -> throw processor.refusal("this preprocessor isn't among those that are");
    };
  }

  /** Images as rows; pooled ones are rows already. */
  private static Value flattened(OnnxGraph graph, Dl4jLayer processor, Value input) {
    if (input.form() == TensorLayout.ROWS) {
      return input;
    }
    processor.requireForm(input, TensorLayout.IMAGES);
    Value images =
        processor.text("format").equals(NHWC)
            ? graph.transposed(input, TensorLayout.OTHER, 0, 2, 3, 1)
            : input;
    return graph.node("Flatten", Map.of("axis", 1L), images).as(TensorLayout.ROWS);
  }

  /** Rows as images, all of a channel together. */
  static Value images(OnnxGraph graph, Value rows, long channels, long height, long width) {
    return graph
        .node("Reshape", rows, graph.integers("shape", -1, channels, height, width))
        .as(TensorLayout.IMAGES);
  }
}
