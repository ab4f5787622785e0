package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.layers.FrozenLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.transferlearning.FineTuneConfiguration;
import org.deeplearning4j.nn.transferlearning.TransferLearning;
import org.deeplearning4j.nn.weights.WeightInit;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A network that was learned elsewhere learns something else. */
class TransferIT {

  @Test
  void frozenLayersStayAsTheyAre() {
    MultiLayerNetwork network =
        new TransferLearning.Builder(Examples.network())
            .fineTuneConfiguration(
                new FineTuneConfiguration.Builder().updater(new Adam(0.02)).l2(1.0e-3).build())
            .setFeatureExtractor(0)
            .removeOutputLayer()
            .addLayer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(16)
                    .nOut(Examples.CLASSES)
                    .weightInit(WeightInit.XAVIER)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build();
    INDArray frozen = network.getLayer(0).params().dup();
    INDArray output = network.getLayer(1).params().dup();

    try (ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network).workers(2).averagingFrequency(2).build()) {
      wrapper.fit(Examples.iterator(1, 60, 32), 3);
    }

    assertThat(network.getLayer(0)).isInstanceOf(FrozenLayer.class);
    assertThat(network.getLayer(0).params().dup().data().asFloat())
        .containsExactly(frozen.data().asFloat());
    assertThat(network.getLayer(1).params()).isNotEqualTo(output);
    assertThat(Examples.accuracy(network)).isGreaterThan(0.85);
  }
}
