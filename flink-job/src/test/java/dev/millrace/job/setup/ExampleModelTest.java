package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.InputOptions;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/**
 * The network that docs/internals/models.md shows, for the examples of the table that is shipped
 * beside.
 */
class ExampleModelTest {

  private static final Path DIRECTORY = Path.of("..", "deploy", "conf");
  private static final int BATCH = 32;
  private static final int STEPS = 200;
  private static final long SEED = 7;

  private final ModelEngine engine = ModelEngine.named("dl4j");
  private final Random random = new Random(SEED);

  @Test
  void theExampleNetworkLearnsFromTheExampleTable() {
    ExampleShape shape = shapeOfTheTable();
    InitialModel model =
        engine.define(
            new ModelDefinition.Configuration(DIRECTORY.resolve("model-table.json"), shape));
    float[] predictions = new float[BATCH * shape.outputs()];
    int right = 0;
    try (ModelReplica replica = engine.build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      for (int step = 0; step < STEPS; step++) {
        float[] features = new float[BATCH * shape.features()];
        right = 0;
        replica.fit(minibatch(shape, features), predictions);
        for (int row = 0; row < BATCH; row++) {
          boolean predicted = predictions[row * shape.outputs()] < 0.5;
          right += predicted == isSecond(features[row * shape.features()]) ? 1 : 0;
        }
      }
    }
    // Half of them would be luck.
    assertThat(right).as("right of %d in the last step, seed %d", BATCH, SEED).isGreaterThan(26);
  }

  private static ExampleShape shapeOfTheTable() {
    Configuration options =
        OptionReader.read(List.of("--config", DIRECTORY.resolve("train-table.yaml").toString()));
    return new ExampleShape(
        options.get(InputOptions.FEATURES),
        options.get(InputOptions.OUTPUTS),
        options.get(InputOptions.TARGET));
  }

  /**
   * Examples whose class is the sign of their first feature.
   *
   * @param features receives those of all rows
   */
  private Minibatch minibatch(ExampleShape shape, float[] features) {
    Minibatch minibatch = new Minibatch(shape, BATCH);
    for (int row = 0; row < BATCH; row++) {
      float[] one = new float[shape.features()];
      for (int i = 0; i < one.length; i++) {
        one[i] = (float) random.nextGaussian();
      }
      System.arraycopy(one, 0, features, row * one.length, one.length);
      float[] labels = new float[shape.outputs()];
      labels[isSecond(one[0]) ? 1 : 0] = 1;
      minibatch.add(one, labels, 1, new Partition("table", 0), row);
    }
    return minibatch;
  }

  private static boolean isSecond(float feature) {
    return feature > 0;
  }
}
