package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationTanH;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A network with a class of the program's own. */
class OwnClassesIT {

  /** An activation of the program's own. */
  public static final class OwnActivation extends ActivationTanH {

    private static final long serialVersionUID = 1;
  }

  /** An activation that nobody trusts. */
  public static final class OtherActivation extends ActivationTanH {

    private static final long serialVersionUID = 1;
  }

  @Test
  void classesThatTheProgramTrustsAreLoaded() {
    MultiLayerNetwork network = network(new OwnActivation());

    try (ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(2)
            .trustClasses(OwnActivation.class)
            .build()) {
      wrapper.fit(Examples.iterator(1, 60, 32), 3);
    }

    assertThat(Examples.accuracy(network)).isGreaterThan(0.9);
  }

  @Test
  void othersAreRefused() {
    MultiLayerNetwork network = network(new OtherActivation());

    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      assertThatThrownBy(() -> wrapper.fit(Examples.iterator(1, 10, 32)))
          .hasMessageContaining(OtherActivation.class.getName());
    }
  }

  private static MultiLayerNetwork network(ActivationTanH activation) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.02))
                .list()
                .layer(
                    new DenseLayer.Builder()
                        .nIn(Examples.FEATURES)
                        .nOut(16)
                        .activation(activation)
                        .build())
                .layer(
                    new OutputLayer.Builder(LossFunction.MCXENT)
                        .nIn(16)
                        .nOut(Examples.CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    return network;
  }
}
