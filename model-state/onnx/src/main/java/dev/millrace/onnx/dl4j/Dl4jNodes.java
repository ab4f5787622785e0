package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.onnx.graph.FeatureNodes;
import dev.millrace.onnx.graph.NetworkNodes;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * DL4J's {@code MultiLayerNetwork} and {@code ComputationGraph}. The JSON of the configuration says
 * which layers there are, the engine which parameters are whose.
 */
public final class Dl4jNodes implements NetworkNodes {

  private static final JsonMapper MAPPER = StrictJson.mapper().build();
  private static final String LAYERED = "MultiLayerNetwork";
  private static final float[] NONE = {};

  /** Layers that take the values of one step alone, or of examples without steps. */
  private static final Set<String> OF_ROWS = Set.of("DenseLayer", "OutputLayer", "EmbeddingLayer");

  @Override
  public List<Value> add(OnnxGraph graph, ModelSpec spec, float[] vector, Value features) {
    JsonNode network = parse(spec.configuration());
    List<LayerDescription> layers =
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration());
    List<Value> outputs =
        spec.kind().equals(LAYERED)
            ? List.of(layered(graph, network, layers, vector, features, spec.shape()))
            : graph(graph, network, layers, vector, features, spec.shape());
    return outputs.stream().map(output -> byStep(graph, output)).toList();
  }

  private static JsonNode parse(String configuration) {
    try {
      return MAPPER.readTree(configuration);
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "The network's configuration is no JSON: " + StrictJson.reason(e), e);
    }
  }

  private static Value byStep(OnnxGraph graph, Value output) {
    return output.form() == TensorLayout.SEQUENCE
        ? graph.transposed(output, TensorLayout.STEPS, 0, 2, 1)
        : output;
  }

  private static Value layered(
      OnnxGraph graph,
      JsonNode network,
      List<LayerDescription> layers,
      float[] vector,
      Value features,
      ExampleShape shape) {
    Value value = null;
    for (int i = 0; i < layers.size(); i++) {
      JsonNode json = network.path("confs").path(i).path("layer");
      JsonNode processor = network.path("inputPreProcessors").path(Integer.toString(i));
      Dl4jLayer layer = layer(layers.get(i), json, vector);
      value = i == 0 ? input(graph, layer, processor, features, shape.width()) : value;
      value = processed(graph, layer, processor, value);
      value = LayerNodes.of(graph, layer, value);
    }
    return value;
  }

  private static List<Value> graph(
      OnnxGraph graph,
      JsonNode network,
      List<LayerDescription> layers,
      float[] vector,
      Value features,
      ExampleShape shape) {
    Map<String, Value> values = new HashMap<>();
    Map<String, IndexRange> inputs = inputs(network, shape);
    // The engine names them in an order in which each comes behind its inputs.
    for (LayerDescription description : layers) {
      JsonNode vertex = network.path("vertices").path(description.name());
      JsonNode json = vertex.path("layerConf").path("layer");
      JsonNode processor = vertex.path("preProcessor");
      boolean isLayer = !json.isMissingNode();
      Dl4jLayer layer = layer(description, isLayer ? json : vertex, vector);
      List<Value> taken = new ArrayList<>();
      for (JsonNode from : network.path("vertexInputs").path(description.name())) {
        IndexRange input = inputs.get(from.asText());
        taken.add(
            input == null
                ? values.get(from.asText())
                : input(graph, layer, processor, part(graph, features, input), input.length()));
      }
      layer.require(!taken.isEmpty() && !taken.contains(null), "its inputs aren't there");
      values.put(
          description.name(),
          isLayer
              ? LayerNodes.of(graph, layer, processed(graph, layer, processor, taken.get(0)))
              : VertexNodes.add(graph, layer, taken));
    }
    return outputs(network, shape).stream().map(values::get).toList();
  }

  private static Dl4jLayer layer(LayerDescription description, JsonNode json, float[] vector) {
    IndexRange range = description.parameters();
    return new Dl4jLayer(
        description.name(), json, Arrays.copyOfRange(vector, range.from(), range.to()));
  }

  private static Value processed(
      OnnxGraph graph, Dl4jLayer layer, JsonNode processor, Value input) {
    return processor.isObject()
        ? PreProcessorNodes.add(graph, new Dl4jLayer(layer.name(), processor, NONE), input)
        : input;
  }

  /** Returns which features each input of a graph takes. */
  private static Map<String, IndexRange> inputs(JsonNode network, ExampleShape shape) {
    Map<String, IndexRange> inputs = new HashMap<>();
    for (JsonNode name : network.path("networkInputs")) {
      inputs.put(name.asText(), new IndexRange(0, shape.width()));
    }
    for (ExampleStructure.Input input : shape.structure().inputs()) {
      inputs.put(input.name(), input.features());
    }
    return inputs;
  }

  /** Returns the outputs' names in the order of the examples' labels. */
  private static List<String> outputs(JsonNode network, ExampleShape shape) {
    return shape.structure().outputs().isEmpty()
        ? List.of(network.path("networkOutputs").path(0).asText())
        : shape.structure().outputs().stream().map(ExampleStructure.Output::name).toList();
  }

  private static Value part(OnnxGraph graph, Value features, IndexRange range) {
    return FeatureNodes.slice(graph, features, range.from(), range.to());
  }

  /** Features in the form that the engine gives them to a network's first layer. */
  private static Value input(
      OnnxGraph graph, Dl4jLayer layer, JsonNode processor, Value features, int width) {
    if (features.form() == TensorLayout.STEPS) {
      return !processor.isObject() && OF_ROWS.contains(layer.type())
          ? graph
              .node("Gather", Map.of("axis", 1L), features, graph.integer("first", 0))
              .as(TensorLayout.ROWS)
          : graph.transposed(features, TensorLayout.SEQUENCE, 0, 2, 1);
    }
    boolean images = layer.type().equals("ConvolutionLayer") && !processor.isObject();
    return images ? square(graph, layer, features, width) : features;
  }

  /** Makes square images of features, whose sizes nothing says without a preprocessor. */
  private static Value square(OnnxGraph graph, Dl4jLayer layer, Value features, int width) {
    int channels = layer.integer("nin");
    long side = Math.round(Math.sqrt((double) width / channels));
    if (layer.text("cnn2dDataFormat").equals("NHWC")) {
      Value pixels =
          graph.node("Reshape", features, graph.integers("shape", -1, side, side, channels));
      return graph.transposed(pixels, TensorLayout.IMAGES, 0, 3, 1, 2);
    }
    return PreProcessorNodes.images(graph, features, channels, side, side);
  }
}
