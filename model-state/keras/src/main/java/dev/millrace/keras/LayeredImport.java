package dev.millrace.keras;

import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.preprocessors.KerasFlattenRnnPreprocessor;

/** Makes what DL4J's import makes of a Sequential model ready for training on rows. */
final class LayeredImport {

  private LayeredImport() {}

  /**
   * @param imported is closed
   * @param takesLogits see {@link TrainingConfiguration#takesLogits}
   */
  static TrainableNetwork prepare(
      MultiLayerNetwork imported, InputShape input, boolean takesLogits) {
    MultiLayerConfiguration configuration = imported.getLayerWiseConfigurations().clone();
    configuration.getConfs().forEach(layer -> IdleDropout.remove(layer.getLayer()));
    joinOutput(configuration, takesLogits);
    takeRows(configuration, input);
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    for (int i = 0; i < network.getnLayers(); i++) {
      if (network.getLayer(i).numParams() > 0) {
        network.getLayer(i).params().assign(imported.getLayer(i).params());
      }
    }
    imported.close();
    return new TrainableNetwork(network, last(configuration.getConfs()), input.features());
  }

  private static void takeRows(MultiLayerConfiguration configuration, InputShape input) {
    InputPreProcessor first = configuration.getInputPreProcess(0);
    if (first instanceof KerasFlattenRnnPreprocessor
        || first instanceof CnnToFeedForwardPreProcessor) {
      // Flattens what is a row already.
      configuration.getInputPreProcessors().remove(0);
    } else if (first == null && !input.isRow()) {
      configuration.getInputPreProcessors().put(0, input.fromRow());
    }
  }

  private static void joinOutput(MultiLayerConfiguration configuration, boolean takesLogits) {
    List<NeuralNetConfiguration> layers = configuration.getConfs();
    if (last(layers) instanceof LossLayer imported) {
      OutputLayers.takeVectors(imported);
      while (last(layers) instanceof LossLayer loss
          && layers.size() > 1
          && configuration.getInputPreProcess(layers.size() - 1) == null) {
        NeuralNetConfiguration before = layers.get(layers.size() - 2);
        Optional<Layer> joined = OutputLayers.joined(before.getLayer(), loss);
        if (joined.isEmpty()) {
          break;
        }
        before.setLayer(joined.get());
        layers.remove(layers.size() - 1);
      }
      if (takesLogits) {
        OutputLayers.activateLogits(last(layers));
      }
    }
  }

  private static Layer last(List<NeuralNetConfiguration> layers) {
    return layers.get(layers.size() - 1).getLayer();
  }
}
