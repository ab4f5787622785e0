package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What is told of layers, against the networks that DL4J makes of the same configurations. */
final class LayersTest {

  private final Dl4jEngine engine = new Dl4jEngine();

  @TempDir private Path directory;

  @Test
  void layersHaveTheirParametersWhereDl4jHasThem() {
    for (BuiltIn definition : List.of(TestNetworks.mlp(), TestNetworks.lenet())) {
      ModelSpec spec = engine.define(definition).spec();
      MultiLayerNetwork network =
          new MultiLayerNetwork(MultiLayerConfiguration.fromJson(spec.configuration()));
      network.init();

      List<LayerDescription> layers = engine.describe(spec.kind(), spec.configuration());

      assertThat(layers).hasSameSizeAs(network.getLayers());
      float[] all = network.params().data().asFloat();
      for (int i = 0; i < layers.size(); i++) {
        assertThat(slice(all, layers.get(i))).isEqualTo(values(network.getLayer(i).params()));
      }
    }
  }

  @Test
  void verticesHaveTheirParametersWhereDl4jHasThem() throws IOException {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    ModelSpec spec = TestNetworks.define(TestNetworks.graphJson(), shape, directory).spec();
    ComputationGraph network =
        new ComputationGraph(ComputationGraphConfiguration.fromJson(spec.configuration()));
    network.init();

    List<LayerDescription> layers = engine.describe(spec.kind(), spec.configuration());

    assertThat(layers)
        .extracting(LayerDescription::name)
        .containsExactly("left", "right", "out-merge", "out");
    float[] all = network.params().data().asFloat();
    for (LayerDescription layer : layers) {
      Layer real = network.getLayer(layer.name());
      assertThat(slice(all, layer)).isEqualTo(real == null ? new float[0] : values(real.params()));
    }
  }

  @Test
  void typesAndUpdatersAreTold() {
    ModelSpec spec = engine.define(TestNetworks.lenet()).spec();

    List<LayerDescription> layers = engine.describe(spec.kind(), spec.configuration());

    assertThat(layers.get(0).type()).isEqualTo("ConvolutionLayer");
    assertThat(layers.get(0).updater()).isEqualTo("Nesterovs 0.01");
    assertThat(layers.get(0).updaterName()).isEqualTo("Nesterovs");
    assertThat(layers.get(1).type()).isEqualTo("SubsamplingLayer");
    assertThat(layers.get(1).parameters().length()).isZero();
    assertThat(layers.get(1).updater()).isEmpty();
  }

  private static float[] slice(float[] all, LayerDescription layer) {
    return Arrays.copyOfRange(all, layer.parameters().from(), layer.parameters().to());
  }

  private static float[] values(INDArray array) {
    return array == null ? new float[0] : array.dup().data().asFloat();
  }
}
