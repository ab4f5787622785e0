package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.testing.StructuredNetworks;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The networks of sequences and of two inputs that docs/internals/models.md shows, and are shipped.
 */
class StructuredExampleModelsTest {

  private static final Path DIRECTORY = Path.of("..", "deploy", "conf");

  @Test
  void sequencesAreTaken() throws Exception {
    InitialModel model =
        define(
            "model-sequence.json",
            StructuredNetworks.sequence(),
            Map.of("input.features", "3", "input.outputs", "2", "input.sequence.steps", "50"));

    assertThat(model.spec().shape().features()).isEqualTo(150);
  }

  @Test
  void twoInputsAreTaken() throws Exception {
    InitialModel model =
        define(
            "model-two-inputs.json",
            StructuredNetworks.twoInputs(),
            Map.of(
                "input.features", "10",
                "input.outputs", "4",
                "input.graph.inputs", "user:4;item:6",
                "input.graph.outputs", "kind:3:classification;amount:1:regression"));

    assertThat(model.spec().shape().structure().outputs()).hasSize(2);
  }

  private static InitialModel define(String name, String json, Map<String, String> options)
      throws Exception {
    Path file = DIRECTORY.resolve(name);
    if (Boolean.getBoolean("millrace.remake")) {
      Files.writeString(file, json + "\n");
    }
    assertThat(file).hasContent(json + "\n");
    ExampleShape shape = InputOptions.shape(OptionReader.configuration(options));
    return ModelEngine.named("dl4j").define(new ModelDefinition.Configuration(file, shape));
  }
}
