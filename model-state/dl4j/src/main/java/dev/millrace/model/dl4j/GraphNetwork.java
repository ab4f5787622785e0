package dev.millrace.model.dl4j;

import dev.millrace.model.dl4j.layers.QuickLayers;
import dev.millrace.model.dl4j.layers.QuickUpdates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.LayerVertex;
import org.deeplearning4j.nn.conf.graph.PreprocessorVertex;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.util.GraphIndices;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A {@link ComputationGraph}, of any number of inputs and outputs. */
final class GraphNetwork implements Network {

  private final ComputationGraphConfiguration configuration;
  private final ComputationGraph network;

  GraphNetwork(ComputationGraphConfiguration configuration) {
    this.configuration = configuration;
    this.network = new ComputationGraph(configuration);
  }

  @Override
  public NetworkKind kind() {
    return NetworkKind.GRAPH;
  }

  @Override
  public String toJson() {
    return configuration.toJson();
  }

  @Override
  public NeuralNetConfiguration settings() {
    return configuration.getDefaultConfiguration();
  }

  @Override
  public BackpropType backpropagation() {
    return configuration.getBackpropType();
  }

  @Override
  public List<String> inputs() {
    return configuration.getNetworkInputs();
  }

  @Override
  public List<String> outputs() {
    return configuration.getNetworkOutputs();
  }

  @Override
  public org.deeplearning4j.nn.conf.layers.Layer firstLayer(String input) {
    LayerVertex vertex = firstVertex(input);
    return vertex == null ? null : vertex.getLayerConf().getLayer();
  }

  @Override
  public int takers(String input) {
    return Math.toIntExact(
        configuration.getVertexInputs().values().stream()
            .filter(inputs -> inputs.contains(input))
            .count());
  }

  @Override
  public InputPreProcessor firstPreProcessor(String input) {
    LayerVertex vertex = firstVertex(input);
    if (vertex != null) {
      return vertex.getPreProcessor();
    }
    return configuration.getVertexInputs().entrySet().stream()
        .filter(entry -> entry.getValue().contains(input))
        .map(entry -> configuration.getVertices().get(entry.getKey()))
        .filter(PreprocessorVertex.class::isInstance)
        .map(own -> ((PreprocessorVertex) own).getPreProcessor())
        .findFirst()
        .orElse(null);
  }

  @Override
  public org.deeplearning4j.nn.conf.layers.Layer lastLayer(String output) {
    LayerVertex vertex = layerVertex(output);
    return vertex == null ? null : vertex.getLayerConf().getLayer();
  }

  @Override
  public LayerList layers() {
    LayerList layers = new LayerList();
    // A clone, because DL4J notes the order in the configuration.
    GraphIndices indices = new ComputationGraph(configuration.clone()).calculateIndices();
    for (int index : indices.getTopologicalSortOrder()) {
      String name = indices.getIdxToName().get(index);
      GraphVertex vertex = configuration.getVertices().get(name);
      if (vertex instanceof LayerVertex layer) {
        layers.add(name, layer.getLayerConf());
      } else if (vertex != null) {
        layers.add(name, vertex);
      }
    }
    return layers;
  }

  @Override
  public int iteration() {
    return configuration.getIterationCount();
  }

  @Override
  public void setIteration(int iteration) {
    configuration.setIterationCount(iteration);
  }

  @Override
  public void init() {
    network.init();
    QuickLayers.in(network);
    QuickUpdates.in(updaterBlocks());
    GraphInput.in(network);
  }

  @Override
  public void freeze(Set<String> names) {
    FrozenLayers.in(network, names);
  }

  @Override
  public INDArray parameters() {
    return network.params();
  }

  @Override
  public INDArray updaterState() {
    return network.getUpdater(true).getStateViewArray();
  }

  @Override
  public INDArray gradients() {
    return network.getGradientsViewArray();
  }

  @Override
  public List<UpdaterBlock> updaterBlocks() {
    return network.getUpdater(true).getUpdaterBlocks();
  }

  @Override
  public Layer outputLayer(String output) {
    return network.getLayer(output);
  }

  @Override
  public void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull) {
    network.fit(features, labels, featureMasksOrNull, labelMasksOrNull);
  }

  @Override
  public void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull,
      InputTaker taker) {
    GraphInput.during(
        network, taker, () -> fit(features, labels, featureMasksOrNull, labelMasksOrNull));
  }

  @Override
  public void computeGradients(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull) {
    if (featureMasksOrNull != null || labelMasksOrNull != null) {
      network.setLayerMaskArrays(featureMasksOrNull, labelMasksOrNull);
    }
    network.setInputs(features);
    network.setLabels(labels);
    try {
      network.computeGradientAndScore();
    } finally {
      network.clearLayerMaskArrays();
      network.clearLayersStates();
    }
  }

  @Override
  public Map<String, INDArray> activations(INDArray[] features) {
    Map<String, INDArray> given = network.feedForward(features, false);
    network.clearLayersStates();
    Map<String, INDArray> rows = new HashMap<>();
    given.forEach(
        (name, values) -> {
          LayerVertex vertex = layerVertex(name);
          INDArray units =
              vertex == null || outputs().contains(name)
                  ? null
                  : UnitRows.ofOrNull(vertex.getLayerConf().getLayer(), values);
          if (units != null) {
            rows.put(name, units);
          }
        });
    return rows;
  }

  @Override
  public INDArray[] output(
      INDArray[] features, INDArray[] featureMasksOrNull, MemoryWorkspace workspace) {
    return network.output(false, features, featureMasksOrNull, null, workspace);
  }

  /** The layer next to an input; where several branch off there, they all take the same rows. */
  private LayerVertex firstVertex(String input) {
    for (Map.Entry<String, List<String>> vertex : configuration.getVertexInputs().entrySet()) {
      if (vertex.getValue().contains(input) && layerVertex(vertex.getKey()) != null) {
        return layerVertex(vertex.getKey());
      }
    }
    return null;
  }

  private LayerVertex layerVertex(String name) {
    return configuration.getVertices().get(name) instanceof LayerVertex vertex ? vertex : null;
  }
}
