package dev.millrace.keras;

import dev.millrace.model.io.InvalidModelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.LayerVertex;
import org.deeplearning4j.nn.conf.graph.PreprocessorVertex;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;

/** Makes what DL4J's import makes of a functional model ready for training on rows. */
final class GraphImport {

  private final ComputationGraphConfiguration configuration;
  private final Map<String, GraphVertex> vertices;
  private final Map<String, List<String>> inputs;

  private GraphImport(ComputationGraphConfiguration configuration) {
    this.configuration = configuration;
    this.vertices = configuration.getVertices();
    this.inputs = configuration.getVertexInputs();
  }

  /**
   * @param imported is closed
   * @param takesLogits see {@link TrainingConfiguration#takesLogits}
   * @throws InvalidModelException if it has several inputs or outputs
   */
  static TrainableNetwork prepare(
      ComputationGraph imported, InputShape input, boolean takesLogits) {
    GraphImport graph = new GraphImport(imported.getConfiguration().clone());
    graph.requireOneOfEach();
    graph.removeIdleDropout();
    graph.joinOutput(takesLogits);
    if (!input.isRow()) {
      graph.takeRows(input);
    }
    ComputationGraph network = new ComputationGraph(graph.configuration);
    network.init();
    for (org.deeplearning4j.nn.api.Layer layer : imported.getLayers()) {
      if (layer.numParams() > 0) {
        String name = layer.conf().getLayer().getLayerName();
        network.getLayer(name).params().assign(layer.params());
      }
    }
    imported.close();
    return new TrainableNetwork(network, graph.layer(graph.output()), input.features());
  }

  private void requireOneOfEach() {
    if (configuration.getNetworkInputs().size() != 1
        || configuration.getNetworkOutputs().size() != 1) {
      throw new InvalidModelException(
          "it has the inputs %s and the outputs %s, and examples have one of each; rebuild it so"
              .formatted(configuration.getNetworkInputs(), configuration.getNetworkOutputs()));
    }
  }

  private void removeIdleDropout() {
    for (GraphVertex vertex : vertices.values()) {
      if (vertex instanceof LayerVertex layer) {
        IdleDropout.remove(layer.getLayerConf().getLayer());
      }
    }
  }

  private void joinOutput(boolean takesLogits) {
    if (layer(output()) instanceof LossLayer imported) {
      OutputLayers.takeVectors(imported);
      while (layer(output()) instanceof LossLayer loss && isOnlyReader(output())) {
        String before = inputs.get(output()).get(0);
        Optional<Layer> joined = OutputLayers.joined(layer(before), loss);
        if (joined.isEmpty()) {
          break;
        }
        ((LayerVertex) vertices.get(before)).getLayerConf().setLayer(joined.get());
        vertices.remove(output());
        inputs.remove(output());
        configuration.setNetworkOutputs(List.of(before));
      }
      if (takesLogits) {
        OutputLayers.activateLogits(layer(output()));
      }
    }
  }

  /** Whether it is all that takes what the vertex before it gives, and takes it as it is. */
  private boolean isOnlyReader(String vertex) {
    String before = inputs.get(vertex).get(0);
    return ((LayerVertex) vertices.get(vertex)).getPreProcessor() == null
        && inputs.values().stream().filter(names -> names.contains(before)).count() == 1;
  }

  private void takeRows(InputShape input) {
    String rows = configuration.getNetworkInputs().get(0);
    String array = rows + "-array";
    inputs.values().forEach(names -> names.replaceAll(name -> name.equals(rows) ? array : name));
    vertices.put(array, new PreprocessorVertex(input.fromRow()));
    inputs.put(array, List.of(rows));
  }

  private String output() {
    return configuration.getNetworkOutputs().get(0);
  }

  /** Null where it isn't a layer. */
  private Layer layer(String vertex) {
    return vertices.get(vertex) instanceof LayerVertex layer
        ? layer.getLayerConf().getLayer()
        : null;
  }
}
