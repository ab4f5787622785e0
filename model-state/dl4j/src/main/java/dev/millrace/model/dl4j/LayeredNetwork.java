package dev.millrace.model.dl4j;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.dl4j.layers.QuickLayers;
import dev.millrace.model.dl4j.layers.QuickUpdates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.updater.BaseMultiLayerUpdater;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A {@link MultiLayerNetwork}: one layer after another. */
final class LayeredNetwork implements Network {

  private final MultiLayerConfiguration configuration;
  private final MultiLayerNetwork network;
  private final int last;

  LayeredNetwork(MultiLayerConfiguration configuration) {
    this.configuration = configuration;
    this.network = new MultiLayerNetwork(configuration);
    this.last = configuration.getConfs().size() - 1;
  }

  @Override
  public NetworkKind kind() {
    return NetworkKind.LAYERED;
  }

  @Override
  public String toJson() {
    return configuration.toJson();
  }

  @Override
  public NeuralNetConfiguration settings() {
    return configuration.getConf(0);
  }

  @Override
  public BackpropType backpropagation() {
    return configuration.getBackpropType();
  }

  @Override
  public List<String> inputs() {
    return List.of("input");
  }

  @Override
  public List<String> outputs() {
    return List.of("output");
  }

  @Override
  public org.deeplearning4j.nn.conf.layers.Layer firstLayer(String input) {
    return configuration.getConf(0).getLayer();
  }

  @Override
  public int takers(String input) {
    return 1;
  }

  @Override
  public InputPreProcessor firstPreProcessor(String input) {
    return configuration.getInputPreProcess(0);
  }

  @Override
  public org.deeplearning4j.nn.conf.layers.Layer lastLayer(String output) {
    return configuration.getConf(last).getLayer();
  }

  @Override
  public LayerList layers() {
    LayerList layers = new LayerList();
    for (int number = 0; number <= last; number++) {
      layers.add("layer" + number, configuration.getConf(number));
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
  }

  @Override
  public void freeze(Set<String> names) {
    FrozenLayers.in(network, layers().descriptions(), names);
  }

  @Override
  public INDArray parameters() {
    return network.params();
  }

  @Override
  public INDArray updaterState() {
    return network.getUpdater().getStateViewArray();
  }

  @Override
  public INDArray gradients() {
    return network.getGradientsViewArray();
  }

  @Override
  public List<UpdaterBlock> updaterBlocks() {
    return ((BaseMultiLayerUpdater<?>) network.getUpdater()).getUpdaterBlocks();
  }

  @Override
  public Layer outputLayer(String output) {
    return network.getLayer(last);
  }

  @Override
  public void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull) {
    network.fit(features[0], labels[0], only(featureMasksOrNull), only(labelMasksOrNull));
  }

  @Override
  public void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull,
      InputTaker taker) {
    LayeredInput.during(
        network, taker, () -> fit(features, labels, featureMasksOrNull, labelMasksOrNull));
  }

  @Override
  public void computeGradients(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull) {
    if (featureMasksOrNull != null || labelMasksOrNull != null) {
      network.setLayerMaskArrays(only(featureMasksOrNull), only(labelMasksOrNull));
    }
    network.setInput(features[0]);
    network.setLabels(labels[0]);
    try {
      network.computeGradientAndScore();
    } finally {
      network.clearLayerMaskArrays();
      network.clearLayersStates();
    }
  }

  @Override
  public Map<String, INDArray> activations(INDArray[] features) {
    List<LayerDescription> layers = layers().descriptions();
    List<INDArray> given = network.feedForward(features[0], false);
    network.clearLayersStates();
    Map<String, INDArray> rows = new HashMap<>();
    for (int number = 0; number < last; number++) {
      // The first that is given is the input.
      INDArray units =
          UnitRows.ofOrNull(configuration.getConf(number).getLayer(), given.get(number + 1));
      if (units != null) {
        rows.put(layers.get(number).name(), units);
      }
    }
    return rows;
  }

  @Override
  public INDArray[] output(
      INDArray[] features, INDArray[] featureMasksOrNull, MemoryWorkspace workspace) {
    return new INDArray[] {
      network.output(features[0], false, only(featureMasksOrNull), null, workspace)
    };
  }

  private static INDArray only(INDArray[] masksOrNull) {
    return masksOrNull == null ? null : masksOrNull[0];
  }
}
