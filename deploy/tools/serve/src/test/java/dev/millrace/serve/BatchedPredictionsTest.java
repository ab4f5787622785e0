package dev.millrace.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.testing.EmbeddingNetwork;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchedPredictionsTest {

  /** Of probabilities: libraries for matrices add up in another order where there are more rows. */
  private static final float LAST_BITS = 1e-5f;

  @TempDir private Path directory;

  /** Whatever else is in their batch. */
  @Test
  void requestsInABatchAreAnsweredAsEachAloneIs() {
    assertBatchedAsAlone(TestEngine.DL4J, TrainedModels.FLOWERS, List.of(8));
    assertBatchedAsAlone(
        TestEngine.DL4J, new ExampleShape(54, 7, Target.CLASSIFICATION), List.of(64, 32));
  }

  static void assertBatchedAsAlone(TestEngine engine, ExampleShape shape, List<Integer> hidden) {
    long seed = Seeds.next();
    Random random = new Random(seed);
    GlobalModel global =
        TrainedModels.model(engine.option(), "mlp", shape, hidden, 3, TrainedModels.none(shape));
    ServedModel model =
        new ServedModel(
            global.spec(), global.version(), Instant.EPOCH, global.vector(), null, List.of());
    try (LoadedModel loaded = LoadedModel.ofEngine(global.spec(), DeviceRequest.any(), 64)) {
      loaded.load(PredictingModel.ofEngine(model));
      for (int round = 0; round < 50; round++) {
        List<InferRequest> requests = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
          requests.add(request(random, 1 + random.nextInt(8), shape.features()));
        }
        List<float[]> together = loaded.predict(requests);
        for (int i = 0; i < requests.size(); i++) {
          float[] alone = loaded.predict(List.of(requests.get(i))).get(0);
          assertThat(together.get(i)).as("seed %d", seed).containsExactly(alone, within(LAST_BITS));
        }
      }
    }
  }

  /** It is predicted batch by batch, by one version. */
  @Test
  void aRequestMayHaveMoreRowsThanABatch() {
    Random random = new Random(5);
    GlobalModel global = TellingModels.model(TellingModels.SHAPE, 9);
    ServedModel model =
        new ServedModel(
            global.spec(), global.version(), Instant.EPOCH, global.vector(), null, List.of());
    float[] values = new float[20];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(100);
    }
    try (LoadedModel loaded = LoadedModel.ofEngine(global.spec(), DeviceRequest.any(), 3)) {
      loaded.load(PredictingModel.ofEngine(model));

      float[] outputs =
          loaded
              .predict(
                  List.of(
                      new InferRequest(
                          null, 20, values, new String[0], IdLists.NONE, 0, List.of())))
              .get(0);

      for (int i = 0; i < values.length; i++) {
        assertThat(outputs[2 * i]).isEqualTo(values[i] + 9);
      }
    }
  }

  @Test
  void requestsThatComeTogetherArePredictedTogether() throws Exception {
    TellingModels.publish(directory, 1);
    try (ServerUnderTest server = start(directory, 8)) {
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        replies.add(asking(server, i));
      }
      for (int i = 0; i < 8; i++) {
        assertThat(replies.get(i).join().floats("values")).containsExactly(i, 1);
      }

      assertThat(server.metric("millrace_serve_batch_rows_count")).isEqualTo(1);
      assertThat(server.metric("millrace_serve_batch_rows_sum")).isEqualTo(8);
    }
  }

  /** The network knows ten words. */
  @Test
  void aRowThatTheModelCannotComputeWithSpoilsNoOtherRequest() throws Exception {
    ExampleShape shape = new ExampleShape(1, 3, Target.CLASSIFICATION);
    GlobalModel model =
        TrainedModels.model(
            ModelEngine.named("dl4j")
                .define(
                    new ModelDefinition.Configuration(EmbeddingNetwork.write(directory), shape)),
            1,
            TrainedModels.none(shape));
    Path models = Files.createDirectories(directory.resolve("models"));
    TellingModels.publish(models, model);
    try (ServerUnderTest server = start(models, 2)) {
      CompletableFuture<Reply> good = asking(server, EmbeddingNetwork.WORDS - 1);
      CompletableFuture<Reply> bad = asking(server, EmbeddingNetwork.WORDS);

      assertThat(good.join().status()).as(good.join().body()).isEqualTo(200);
      assertThat(bad.join().status()).as(bad.join().body()).isEqualTo(400);
      assertThat(bad.join().error())
          .contains("A row of the request can't be predicted: the network can't");
    }
  }

  /** Batches of exactly so many rows: one that lacks some isn't predicted. */
  private static ServerUnderTest start(Path models, int batch) throws IOException {
    return ServerUnderTest.start(
            models, new Batching(1, batch, Duration.ofHours(1), 1024), ServerUnderTest.LIMITS)
        .ready();
  }

  private static CompletableFuture<Reply> asking(ServerUnderTest server, float value) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.infer(ServerUnderTest.features(1, 1, value));
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        task -> new Thread(task).start());
  }

  private static InferRequest request(Random random, int rows, int width) {
    float[] features = new float[rows * width];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian() * 5;
    }
    return new InferRequest(null, rows, features, new String[0], IdLists.NONE, 0, List.of());
  }
}
