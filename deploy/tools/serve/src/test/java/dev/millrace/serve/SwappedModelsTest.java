package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.testing.BadModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SwappedModelsTest {

  private static final int VERSIONS = 60;
  private static final int CLIENTS = 4;

  @TempDir private Path temporary;

  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createDirectory(temporary.resolve("models"));
  }

  /**
   * Of the feature x a version's first output is x, and its second the version's round, if all of
   * an answer is of one version. Every tenth is another network, which is built first.
   */
  @ParameterizedTest
  @EnumSource(names = {"ENGINE", "ONNX"})
  void eachAnswerIsExactlyWhatTheVersionThatItNamesPredicts(PredictionRuntime runtime)
      throws Exception {
    check(directory, runtime, VERSIONS);
  }

  static void check(Path directory, PredictionRuntime runtime, int versions) throws Exception {
    long seed = Seeds.next();
    TellingModels.publish(directory, 1);
    Set<ModelVersion> seen = new ConcurrentSkipListSet<>();
    try (ServerUnderTest server = ServerUnderTest.start(directory, runtime).ready()) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(() -> publish(directory, versions, seen));
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Random random = new Random(seed + client);
        clients.add(
            CompletableFuture.runAsync(() -> askUntil(writing, server, random, seed, seen)));
      }
      for (CompletableFuture<Void> client : clients) {
        client.join();
      }
      writing.join();
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  server
                      .infer(ServerUnderTest.features(1, 1, 3))
                      .json()
                      .path("model_version")
                      .asText(),
              ("1." + versions)::equals);
      assertThat(seen.size()).as("seed %d: versions seen", seed).isGreaterThan(10);
      assertThat(server.metric("millrace_serve_refused_models_total")).isZero();
      assertThat(server.metric("millrace_serve_model_swaps_total")).isGreaterThan(10);
    }
  }

  /** Publishes as fast as it can, but waits now and then until one of the last has predicted. */
  private static void publish(Path directory, int versions, Set<ModelVersion> seen) {
    try {
      for (int round = 2; round <= versions; round++) {
        if (round % 4 == 0) {
          ModelVersion before = new ModelVersion(1, round - 4);
          await()
              .atMost(PATIENCE)
              .until(() -> seen.stream().anyMatch(version -> version.compareTo(before) > 0));
        }
        String updater = round % 20 < 10 ? "sgd" : "nesterovs";
        TellingModels.publish(directory, TellingModels.model(TellingModels.SHAPE, round, updater));
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static void askUntil(
      CompletableFuture<Void> end,
      ServerUnderTest server,
      Random random,
      long seed,
      Set<ModelVersion> seen) {
    ModelVersion last = new ModelVersion(0, 0);
    try {
      while (!end.isDone()) {
        int rows = 1 + random.nextInt(5);
        float[] values = new float[rows];
        for (int row = 0; row < rows; row++) {
          values[row] = random.nextInt(1000);
        }
        Reply reply = server.infer(ServerUnderTest.features(rows, 1, values));
        assertThat(reply.status()).as("seed %d: %s", seed, reply.body()).isEqualTo(200);
        ModelVersion version = ModelVersion.parse(reply.json().path("model_version").asText());
        float[] expected = new float[2 * rows];
        for (int row = 0; row < rows; row++) {
          expected[2 * row] = values[row];
          expected[2 * row + 1] = version.round();
        }
        assertThat(reply.floats("values"))
            .as("seed %d, version %s", seed, version)
            .containsExactly(expected);
        assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(last);
        last = version;
        seen.add(version);
      }
    } catch (IOException | InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TRUNCATED", "NOT_A_NUMBER", "OF_AN_ENGINE_THAT_IS_NOT_THERE"})
  void aModelThatIsNoGoodIsRefusedAndTheLastOneAnswers(BadModel bad) throws Exception {
    TellingModels.publish(directory, 1);
    try (ServerUnderTest server = ServerUnderTest.start(directory).ready()) {
      bad.publish(directory, 2);

      await()
          .atMost(PATIENCE)
          .until(() -> server.metric("millrace_serve_refused_models_total") == 1);
      assertVersion(server, "1.1");
      TellingModels.publish(directory, 3);
      await().atMost(PATIENCE).until(() -> server.metric("millrace_serve_model_round") == 3);
      assertVersion(server, "1.3");
    }
  }

  /** Without a model before it, there is nothing to go on with. */
  @Test
  void aModelWhoseEngineCannotWorkHereIsRefusedWhereAnotherPredicts() throws Exception {
    Path staged = Files.createDirectory(temporary.resolve("staged"));
    TellingModels.publish(directory, 1);
    try (ServerUnderTest server = ServerUnderTest.start(directory).ready()) {
      Path description = TellingModels.publish(staged, 2).description();
      String text = Files.readString(description);
      Files.writeString(
          description, text.replace("\"dl4j\"", "\"%s\"".formatted(UnusableEngine.NAME)));
      for (String file : new String[] {"model-1.2.zip", "model-1.2.json", "latest.json"}) {
        Files.move(
            staged.resolve(file), directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }

      await()
          .atMost(PATIENCE)
          .until(() -> server.metric("millrace_serve_refused_models_total") == 1);
      assertVersion(server, "1.1");
      assertThat(server.server().failure()).isNotDone();
    }
    try (ServerUnderTest server = ServerUnderTest.start(directory)) {
      await().atMost(PATIENCE).until(() -> server.server().failure().isCompletedExceptionally());
    }
  }

  private static void assertVersion(ServerUnderTest server, String version) throws Exception {
    Reply reply = server.infer(ServerUnderTest.features(1, 1, 5));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().path("model_version").asText()).isEqualTo(version);
  }

  /** Clients have been told what the model takes. */
  @Test
  void aModelOfOtherExamplesIsRefused() throws Exception {
    TellingModels.publish(directory, 1);
    try (ServerUnderTest server = ServerUnderTest.start(directory).ready()) {
      ExampleShape other = new ExampleShape(1, 2, Target.MULTI_LABEL);
      TellingModels.publish(directory, TellingModels.model(other, 2));

      await()
          .atMost(PATIENCE)
          .until(() -> server.metric("millrace_serve_refused_models_total") == 1);
      assertVersion(server, "1.1");
    }
  }
}
