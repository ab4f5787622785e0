package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.dl4j.layers.QuickLayers;
import org.deeplearning4j.nn.api.Trainable;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.vertex.impl.LayerVertex;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;

/** The engine trains networks of either kind with quick layers. */
class QuickNetworksTest {

  private static final DenseLayer DENSE = new DenseLayer.Builder().nIn(2).nOut(3).build();
  private static final OutputLayer OUTPUT =
      new OutputLayer.Builder().nIn(3).nOut(2).activation(Activation.SOFTMAX).build();

  @Test
  void layersOfANetworkAreQuick() {
    requireQuick(
        new LayeredNetwork(
            new NeuralNetConfiguration.Builder().list().layer(DENSE).layer(OUTPUT).build()));
  }

  @Test
  void layersOfAGraphAreQuick() {
    requireQuick(
        new GraphNetwork(
            new NeuralNetConfiguration.Builder()
                .graphBuilder()
                .addInputs("in")
                .addLayer("dense", DENSE, "in")
                .addLayer("out", OUTPUT, "dense")
                .setOutputs("out")
                .build()));
  }

  private static void requireQuick(Network network) {
    network.init();

    assertThat(network.updaterBlocks().get(0).getLayersAndVariablesInBlock())
        .extracting(state -> layer(state.getLayer()).getClass().getPackage())
        .contains(QuickLayers.class.getPackage());
  }

  /** A graph's updater knows vertices. */
  private static Object layer(Trainable updated) {
    return updated instanceof LayerVertex vertex ? vertex.getLayer() : updated;
  }
}
