package dev.millrace.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine is that of the model, whatever else is on the class path. */
@Tag("slow")
class EnginesIT {

  private static final float[] ROWS = {5.1f, 3.5f, 1.4f, 0.2f, 6.2f, 2.9f, 4.3f, 1.3f};

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void answersAreWhatTheModelsOwnEnginePredictsForCompletedFeatures(TestEngine engine)
      throws Exception {
    GlobalModel model = TrainedModels.flowers(engine.option(), 4);
    new SnapshotWriter(
            SnapshotStore.directory(directory),
            engine.engine(),
            Optional.empty(),
            new Retention(3, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.empty())
        .write(model, Optional.empty());
    float[] features = ROWS.clone();
    FeatureCompletion.of(model.spec().shape(), model.statistics().standardization())
        .apply(features, new String[0], null, 2);
    float[] expected = new float[6];
    try (ModelReplica replica = engine.engine().build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      replica.predict(features, 2, expected);
    }

    try (ServerUnderTest server =
        ServerUnderTest.start(directory, PredictionRuntime.ENGINE).ready()) {
      Reply reply = server.infer(ServerUnderTest.features(2, 4, ROWS));

      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(reply.floats("probabilities")).containsExactly(expected);
      assertThat(server.get("/v2/models/model").json().path("platform").asText())
          .isEqualTo("millrace_" + engine.option());
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsInABatchAreAnsweredAsEachAloneIs(TestEngine engine) {
    BatchedPredictionsTest.assertBatchedAsAlone(
        engine, new ExampleShape(54, 7, Target.CLASSIFICATION), List.of(64, 32));
    BatchedPredictionsTest.assertBatchedAsAlone(
        engine, new ExampleShape(784, 10, Target.CLASSIFICATION), List.of(128));
  }
}
