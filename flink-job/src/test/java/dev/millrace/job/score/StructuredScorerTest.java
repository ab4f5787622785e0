package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.StructuredModels;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructuredScorerTest {

  @TempDir Path directory;

  @Test
  void aPredictionIsAsLongAsItsSequence() throws Exception {
    InitialModel model = StructuredModels.eachStep(directory);
    float[] parameters = Arrays.copyOf(model.vector(), model.spec().parameters());
    List<Example> examples = StructuredModels.examples(model.spec().shape(), 4, new Random(3));
    List<Prediction> predictions = new ArrayList<>();
    try (Scorer scorer =
        new Scorer(model.spec().shape(), DeviceRequest.any(), 4, Duration.ofSeconds(1))) {
      scorer.serve(
          new ServedModel(
              model.spec(),
              new ModelVersion(0, 1),
              Instant.EPOCH,
              parameters,
              FeatureCompletion.none(model.spec().shape()),
              List.of()));
      for (int i = 0; i < examples.size(); i++) {
        examples.get(i).setOrigin(new Partition("t", 0), i);
        scorer.add(examples.get(i), 0, 0);
      }
      scorer.predict(predictions::add, rejected -> fail(rejected.reason()));
    }

    int outputs = model.spec().shape().outputs();
    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(model.spec(), DeviceRequest.any())) {
      replica.write(0, parameters, 0, parameters.length);
      float[] alone = new float[model.spec().shape().labels()];
      for (int i = 0; i < examples.size(); i++) {
        Example example = examples.get(i);
        replica.predict(example.features(), new int[] {example.steps()}, 1, alone);

        float[] predicted = predictions.get(i).outputs();
        assertThat(predicted).hasSize(example.steps() * outputs);
        assertThat(predicted)
            .containsExactly(Arrays.copyOf(alone, predicted.length), within(1e-5f));
      }
    }
  }
}
