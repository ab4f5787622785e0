package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.GrowthContract;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

final class Dl4jGrowthContractTest extends GrowthContract {

  @TempDir private Path directory;

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }

  @Test
  void aGraphGrowsWhereOneDenseLayerTakesTheInput() throws Exception {
    ExampleShape table = new ExampleShape(12, 5, Target.CLASSIFICATION);
    ExampleShape larger = new ExampleShape(14, 6, Target.CLASSIFICATION);
    InitialModel graph = TestNetworks.define(graph(), table, directory);

    ModelSpec grown = engine().resized(graph.spec(), larger, 1).spec();

    assertThat(engine().layout(grown).parameters()).isEqualTo(grown.parameters());
    assertThat(engine().layout(grown).length()).isEqualTo(grown.vectorLength());
    assertThat(grown.parameters()).isEqualTo(14 * 7 + 7 + 7 * 6 + 6);

    InitialModel forked = TestNetworks.define(TestNetworks.graphJson(), table, directory);
    assertThatThrownBy(() -> engine().resized(forked.spec(), larger, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("can't grow", "2 of its layers take the input");
  }

  private static String graph() {
    return new NeuralNetConfiguration.Builder()
        .updater(new Adam(0.01))
        .graphBuilder()
        .addInputs("in")
        .addLayer("hidden", new DenseLayer.Builder().nIn(12).nOut(7).build(), "in")
        .addLayer(
            "out",
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(7)
                .nOut(5)
                .activation(Activation.SOFTMAX)
                .build(),
            "hidden")
        .setOutputs("out")
        .build()
        .toJson();
  }
}
