package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.testing.CapturedLog;
import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.testing.EmbeddingNetwork;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ONNX Runtime predicts where it can, by requests as they come. */
class RuntimeOfServerTest {

  private static final String BY_RUNTIME = "millrace_serve_by_runtime";
  private static final float LAST_BITS = 1e-5f;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void bothPredictAlike(TestEngine engine) throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    publish(engine.engine(), TrainedModels.flowers(engine.option(), 4));
    try (ServerUnderTest byEngine =
            ServerUnderTest.start(directory, PredictionRuntime.ENGINE).ready();
        ServerUnderTest byRuntime =
            ServerUnderTest.start(directory, PredictionRuntime.AUTO).ready()) {
      assertThat(byEngine.metric(BY_RUNTIME)).isZero();
      assertThat(byRuntime.metric(BY_RUNTIME)).isEqualTo(1);
      for (int rows : new int[] {1, 3, 100, 1}) {
        float[] features = new float[rows * 4];
        for (int i = 0; i < features.length; i++) {
          features[i] = random.nextFloat() * 8;
        }
        String request = ServerUnderTest.features(rows, 4, features);
        Reply reply = byRuntime.infer(request);

        assertThat(reply.floats("probabilities"))
            .as("seed %s", seed)
            .containsExactly(byEngine.infer(request).floats("probabilities"), within(LAST_BITS));
        assertThat(reply.json().path("model_version").asText()).isEqualTo("1.4");
      }
    }
  }

  /** Its numbers of words below 0 would be others to ONNX Runtime. */
  @Test
  void aNetworkOfNumbersOfThingsIsPredictedByItsEngine() throws Exception {
    GlobalModel model = ofWords();
    TellingModels.publish(directory, model);
    try (CapturedLog log = new CapturedLog(ModelOpener.class);
        ServerUnderTest server = ServerUnderTest.start(directory, PredictionRuntime.AUTO).ready()) {
      assertThat(log.messages())
          .containsExactly(
              "The engine dl4j predicts with model 1.1 and those that follow, since ONNX Runtime"
                  + " can't: it takes numbers of things, and ONNX Runtime doesn't refuse all that"
                  + " it doesn't know");
      assertThat(server.metric(BY_RUNTIME)).isZero();
      assertThat(server.infer(ServerUnderTest.features(1, 1, 3)).status()).isEqualTo(200);
      assertThat(server.infer(ServerUnderTest.features(1, 1, -1)).status()).isEqualTo(400);
      assertThat(server.metric("millrace_serve_refused_models_total")).isZero();
    }
  }

  @Test
  void whereOnlyOnnxRuntimeMayPredictThatNetworkIsRefused() throws Exception {
    TellingModels.publish(directory, ofWords());
    try (ServerUnderTest server = ServerUnderTest.start(directory, PredictionRuntime.ONNX)) {
      await()
          .atMost(PATIENCE)
          .until(() -> server.metric("millrace_serve_refused_models_total") == 1);
      assertThat(server.get("/v2/health/ready").status()).isEqualTo(503);

      // Of a job that goes on with other fields.
      publish(ModelEngine.named("dl4j"), TrainedModels.flowers("dl4j", 4));

      assertThat(server.ready().metric(BY_RUNTIME)).isEqualTo(1);
    }
  }

  private GlobalModel ofWords() throws IOException {
    Path configuration = Files.createDirectories(directory.resolveSibling("configuration"));
    ExampleShape shape = new ExampleShape(1, 3, Target.CLASSIFICATION);
    return TrainedModels.model(
        ModelEngine.named("dl4j")
            .define(
                new ModelDefinition.Configuration(EmbeddingNetwork.write(configuration), shape)),
        1,
        TrainedModels.none(shape));
  }

  private void publish(ModelEngine engine, GlobalModel model) throws IOException {
    new SnapshotWriter(
            SnapshotStore.directory(directory),
            engine,
            Optional.empty(),
            new Retention(3, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.empty())
        .write(model, Optional.empty());
  }
}
