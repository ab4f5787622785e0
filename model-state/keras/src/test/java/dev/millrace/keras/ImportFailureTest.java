package dev.millrace.keras;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.keras.testing.KerasModelFile;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.ModelImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What can't be imported is refused with one message that names the file, and nothing is written.
 */
@DisabledOnOs(
    value = OS.MAC,
    architectures = "aarch64",
    disabledReason = "JavaCPP has no HDF5 for it")
final class ImportFailureTest {

  private static final Map<String, ?> BACKWARDS =
      Map.of("class_name", "LSTM", "config", Map.of("name", "odd", "go_backwards", true));

  @TempDir private Path directory;

  private Path keras() {
    return directory.resolve("model.h5");
  }

  private Path archive() {
    return directory.resolve("model.zip");
  }

  @Test
  void aMissingFile() throws IOException {
    refused().hasMessageContaining("there is no such file");
  }

  @Test
  void aFileOfAnotherFormat() throws IOException {
    Files.writeString(keras(), "weights");
    refused().hasMessageContaining("is no HDF5 file");
  }

  @Test
  void keras3sOwnFormat() throws IOException {
    Files.writeString(keras(), "PK\u0003\u0004");
    refused().hasMessageContaining("Keras 3");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.3, 0.6, 0.9, 0.999})
  void aTruncatedFile(double part) throws IOException {
    compiled("softmax").write(keras());
    byte[] whole = Files.readAllBytes(keras());
    Files.write(keras(), Arrays.copyOf(whole, (int) (whole.length * part)));
    refused().hasMessageContaining("is damaged, or not whole");
  }

  @Test
  void aLayerThatDl4jHasnt() throws IOException {
    compiled("softmax").other("LayerNormalization", "norm", Map.of()).write(keras());
    refused()
        .hasMessageContaining("LayerNormalization (layer 'norm')")
        .hasMessageContaining("rebuild");
  }

  @Test
  void aLayerThatDl4jFailsOn() throws IOException {
    compiled("softmax")
        .other("DepthwiseConv2D", "depth", Map.of("depthwise_initializer", "ones"))
        .write(keras());
    refused().hasMessageContaining("DL4J's KerasDepthwiseConvolution2D fails");
  }

  @Test
  void anInputOfAnySize() throws IOException {
    KerasModelFile.of(true, 0, 0, 3)
        .convolution("map", "relu", 1, 3, new float[6], new float[2])
        .other("GlobalAveragePooling2D", "mean", Map.of("data_format", "channels_last"))
        .dense("out", "softmax", KerasNets.HIDDEN, KerasNets.HIDDEN_BIAS)
        .compiled(KerasNets.CROSSENTROPY, "SGD", KerasNets.SGD)
        .write(keras());
    refused().hasMessageContaining("[0, 0, 3]").hasMessageContaining("fixed size");
  }

  @Test
  void aModelThatWasNotCompiled() throws IOException {
    KerasNets.dense(true, "softmax").write(keras());
    refused().hasMessageContaining("saved without compile()");
  }

  @Test
  void anOptimizerThatDl4jHasnt() throws IOException {
    KerasNets.dense(false, "softmax")
        .compiled(KerasNets.CROSSENTROPY, "Ftrl", "{\"learning_rate\": 0.1}")
        .write(keras());
    refused().hasMessageContaining("its optimizer is Ftrl").hasMessageContaining("Adam, Adamax");
  }

  @Test
  void aLearningRateThatIsASchedule() throws IOException {
    KerasNets.dense(false, "softmax")
        .compiled(
            KerasNets.CROSSENTROPY,
            "Adam",
            "{\"learning_rate\": {\"class_name\": \"ExponentialDecay\", \"config\": {}}}")
        .write(keras());
    refused().hasMessageContaining("its learning rate is a schedule");
  }

  @ParameterizedTest
  @CsvSource({
    "Adam, amsgrad, true",
    "Adam, weight_decay, 0.004",
    "Adam, use_ema, true",
    "SGD, clipnorm, 1.0",
    "SGD, clipvalue, 0.5",
    "RMSprop, global_clipnorm, 1.0",
    "RMSprop, centered, true",
    "RMSprop, momentum, 0.9"
  })
  void aSettingOfAnOptimizerThatDl4jPassesOver(String optimizer, String setting, String value)
      throws IOException {
    KerasNets.dense(false, "softmax")
        .compiled(
            KerasNets.CROSSENTROPY,
            optimizer,
            """
            {"learning_rate": 0.1, "decay": 0.0, "beta_1": 0.9, "beta_2": 0.999,
             "epsilon": 1e-07, "rho": 0.9, "%s": %s}"""
                .formatted(setting, value))
        .write(keras());
    refused().hasMessageContaining("its optimizer has %s %s, which".formatted(setting, value));
  }

  private static Stream<Arguments> settingsThatDl4jPassesOver() {
    return Stream.of(
        arguments("LSTM", Map.of("go_backwards", true), "true for go_backwards"),
        arguments("SimpleRNN", Map.of("time_major", true), "true for time_major"),
        arguments("Bidirectional", Map.of("backward_layer", BACKWARDS), "for backward_layer"),
        arguments("Bidirectional", Map.of("layer", BACKWARDS), "true for go_backwards"),
        arguments("TimeDistributed", Map.of("layer", BACKWARDS), "true for go_backwards"),
        arguments("Functional", Map.of("layers", List.of(BACKWARDS)), "true for go_backwards"),
        arguments("UpSampling2D", Map.of("interpolation", "bilinear"), "\"bilinear\" for inter"),
        arguments("Conv2D", Map.of("groups", 2), "2 for groups"),
        arguments("Conv2DTranspose", Map.of("output_padding", List.of(1, 1)), "output_padding"),
        arguments("GlobalAveragePooling2D", Map.of("keepdims", true), "true for keepdims"),
        arguments("Softmax", Map.of("axis", 1), "1 for axis"),
        arguments("LocallyConnected1D", Map.of("implementation", 3), "3 for implementation"));
  }

  @ParameterizedTest
  @MethodSource("settingsThatDl4jPassesOver")
  void aSettingOfALayerThatDl4jPassesOver(String type, Map<String, ?> settings, String says)
      throws IOException {
    compiled("softmax").other(type, "odd", settings).write(keras());
    refused()
        .hasMessageContaining("its layer 'odd' (")
        .hasMessageContaining(says)
        .hasMessageContaining("rebuild that layer in Keras with ");
  }

  @Test
  void aLossThatDl4jHasnt() throws IOException {
    KerasNets.dense(false, "softmax").compiled("\"my_loss\"", "SGD", KerasNets.SGD).write(keras());
    refused().hasMessageContaining("Unknown Keras loss function my_loss");
  }

  @Test
  void aModelOfKeras3() throws IOException {
    compiled("softmax").version("3.4.1").write(keras());
    refused().hasMessageContaining("is of Keras 3.4.1").hasMessageContaining("Keras 2");
  }

  /** The same check as for every archive; it names the file that the user has. */
  @Test
  void aNetworkThatNoJobCouldTrain() throws IOException {
    KerasModelFile.of(false, KerasNets.IMAGE)
        .convolution("map", "softmax", 1, 2, new float[4], new float[2])
        .compiled(KerasNets.CROSSENTROPY, "SGD", KerasNets.SGD)
        .write(keras());
    refused()
        .hasMessageStartingWith("The network in " + keras() + " can't be trained")
        .hasMessageContaining("CnnLossLayer");
  }

  @Test
  void anArchiveThatIsThereAlready() throws IOException {
    compiled("softmax").write(keras());
    Files.writeString(archive(), "mine");

    assertThatThrownBy(() -> ModelImport.run(new KerasImporter(), keras(), archive(), false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(archive().toString());
    assertThat(archive()).hasContent("mine");

    ModelImport.run(new KerasImporter(), keras(), archive(), true);
    assertThat(Files.size(archive())).isGreaterThan(100);
  }

  private static KerasModelFile compiled(String activation) {
    return KerasNets.dense(false, activation)
        .compiled(KerasNets.CROSSENTROPY, "SGD", KerasNets.SGD);
  }

  private AbstractThrowableAssert<?, ?> refused() throws IOException {
    AbstractThrowableAssert<?, ?> thrown =
        assertThatThrownBy(() -> ModelImport.run(new KerasImporter(), keras(), archive(), false))
            .isInstanceOf(InvalidModelException.class)
            .hasMessageContaining(keras().toString())
            .hasMessageNotContainingAny("unfinished", "\n");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(file -> !file.equals(keras()))).isEmpty();
    }
    return thrown;
  }
}
