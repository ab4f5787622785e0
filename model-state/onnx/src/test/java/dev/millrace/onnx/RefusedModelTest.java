package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.Upsampling2D;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;

/** What can't be written is named, and what is damaged is found out. */
class RefusedModelTest {

  private static final int SIDE = 6;

  /** Scripted by Python, with a batch normalization that branches. */
  private static final Path PYTHON = Path.of("../torch/src/test/resources/python-network.pt");

  @TempDir private Path directory;

  static Stream<Arguments> layers() {
    return Stream.of(
        Arguments.of(new Upsampling2D.Builder(2).build(), "'second' (Upsampling2D)", "kind"),
        Arguments.of(
            new LocalResponseNormalization.Builder().build(),
            "'second' (LocalResponseNormalization)",
            "kind"),
        Arguments.of(
            new DenseLayer.Builder().nOut(3).hasLayerNorm(true).build(),
            "'second' (DenseLayer)",
            "hasLayerNorm"),
        Arguments.of(
            new DenseLayer.Builder().nOut(3).activation(Activation.RATIONALTANH).build(),
            "'second' (DenseLayer)",
            "activation function is RationalTanh"),
        Arguments.of(
            new ConvolutionLayer.Builder(2, 2).nOut(3).activation(Activation.SOFTMAX).build(),
            "'second' (ConvolutionLayer)",
            "IMAGES"),
        Arguments.of(
            new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
                .kernelSize(2, 2)
                .dilation(2, 2)
                .build(),
            "'second' (SubsamplingLayer)",
            "dilated"));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void aLayerThatOnnxHasNotIsNamed(Layer layer, String which, String why) {
    layer.setLayerName("second");
    String json =
        LayeredNetworks.layers(
                LayeredNetworks.convolution(2, 2, new Random(1)).build(),
                layer,
                LayeredNetworks.output(3))
            .setInputType(InputType.convolutionalFlat(SIDE, SIDE, 1))
            .build()
            .toJson();
    ServableModel model = Models.dl4j(json, Models.classes(SIDE * SIDE, 3), new Random(1));

    assertRefused(model, which, why);
  }

  @Test
  void aModuleThatBranchesIsRefusedWithTheLayerAndTheLine() {
    InitialModel model =
        ModelEngine.named("torch").define(new Archive(PYTHON, Models.classes(SIDE * SIDE - 20, 3)));

    assertRefused(Models.servable(model, new Random(1)), "the layer 'norm'", "\"if torch");
  }

  @Test
  void aModelThatPredictsNoNumbersIsRefused() {
    ServableModel model = mlp();
    Arrays.fill(model.vector(), Float.NaN);

    assertRefused(model, "no numbers");
  }

  @Test
  void whatIsOfAnotherEngineOrNoConfigurationIsRefused() {
    ServableModel model = mlp();
    ModelSpec spec = model.spec();

    assertRefused(with(model, "keras", spec.configuration()), "the engine keras");
    assertRefused(with(model, "dl4j", "{"), "JSON");
    assertRefused(with(model, "torch", "{\"slots\": [], \"module\": \"AAAA\"}"), "code");
    assertRefused(with(model, "population", "{}"), "population");
  }

  private static ServableModel mlp() {
    return Models.builtIn("dl4j", "mlp", Models.classes(4, 3), List.of(5), new Random(1));
  }

  private static ServableModel with(ServableModel model, String engine, String configuration) {
    ModelSpec spec = model.spec();
    return new ServableModel(
        new ModelSpec(
            engine,
            spec.kind(),
            configuration,
            spec.shape(),
            spec.parameters(),
            spec.updaterState(),
            List.of()),
        model.vector(),
        model.learned(),
        List.of(),
        Map.of());
  }

  private void assertRefused(ServableModel model, String... parts) {
    assertThatExceptionOfType(InvalidModelException.class)
        .isThrownBy(() -> new OnnxExporter().write(model, directory.resolve("model.onnx")))
        .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
  }
}
