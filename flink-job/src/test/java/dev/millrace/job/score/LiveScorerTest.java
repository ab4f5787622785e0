package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.BadModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveScorerTest {

  private static final int BATCH = 4;
  private static final Duration POLL = Duration.ofMillis(1);

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void eachPredictionHasTheBitsOfAScorers() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    ExampleShape shape = new ExampleShape(5, 3, Target.CLASSIFICATION);
    publish(shape, Map.of("input.classes", "a;b;c"));
    ServedModel served = read(shape);
    try (LiveScorer live = open(PATIENCE);
        Scorer scorer = new Scorer(shape, DeviceRequest.any(), 1, Duration.ofMillis(1))) {
      scorer.serve(served);
      assertThat(live.shape()).isEqualTo(shape);
      assertThat(live.classes()).containsExactly("a", "b", "c");

      Example example = new Example(shape);
      for (int i = 0; i < 1000; i++) {
        for (int feature = 0; feature < 5; feature++) {
          example.features()[feature] = (float) random.nextGaussian() * 100;
        }
        example.setOrigin(new Partition("t", 0), i);
        scorer.add(example, 0, 0);
        live.add(example);
        assertThat(live.predict()).isEmpty();
        int[] bits = bits(live.outputs(0));

        scorer.predict(
            prediction ->
                assertThat(bits).as("seed %d", seed).isEqualTo(bits(prediction.outputs())),
            rejected -> fail(rejected.reason()));
      }
    }
  }

  @Test
  void aBatchHasAPredictionForEachExampleInItsOrder() throws Exception {
    TellingModels.publish(directory, 3);
    try (LiveScorer live = open(PATIENCE)) {
      Example example = new Example(live.shape());
      for (int size : new int[] {BATCH, 1, 0, BATCH - 1}) {
        for (int i = 0; i < size; i++) {
          example.features()[0] = 10 * size + i;
          live.add(example);
        }
        assertThat(live.predict()).isEmpty();
        for (int i = 0; i < size; i++) {
          assertThat(live.outputs(i)).containsExactly(10 * size + i, 3);
        }
      }
    }
  }

  @Test
  void aNewModelTakesOverBetweenTwoBatches() throws Exception {
    QueuedModels models = new QueuedModels(directory);
    models.publish(1);
    try (LiveScorer live = open(models, PATIENCE)) {
      assertThat(live.version()).isEqualTo(new ModelVersion(1, 1));
      assertThat(predict(live, 7)).isEqualTo(1007);

      models.publish(2);
      await().atMost(PATIENCE).until(() -> predict(live, 7) == 2007);

      assertThat(live.version()).isEqualTo(new ModelVersion(1, 2));
    }
    assertThat(models.isClosed()).isTrue();
  }

  @Test
  void waitsForTheFirstModel() throws Exception {
    CompletableFuture<Void> later =
        CompletableFuture.runAsync(
            () -> {
              try {
                TellingModels.publish(directory, 4);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
    try (LiveScorer live = open(PATIENCE)) {
      assertThat(live.version().round()).isEqualTo(4);
    }
    later.join();
  }

  @Test
  void saysWhereNoModelHasCome() {
    assertThatThrownBy(() -> open(Duration.ofMillis(30)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "No model has come in %s within 30 ms; publish one there, or wait for longer"
                .formatted(directory));
  }

  /** Where it has been read by then: on a busy machine it may take another try. */
  @Test
  void saysWhyTheOnlyOneIsNoGood() throws Exception {
    BadModel.TRUNCATED.publish(directory, 1);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> open(Duration.ofSeconds(2)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("within 2 s, but one that is no good: "));
  }

  /** The query that it predicts in is made for the first. */
  @Test
  void aLaterModelOfOtherExamplesIsRefused() throws Exception {
    TellingModels.publish(directory, 1);
    try (LiveScorer live = open(PATIENCE)) {
      TellingModels.publish(
          directory, TellingModels.model(new ExampleShape(2, 2, Target.REGRESSION), 2));
      await().during(Duration.ofMillis(100)).until(() -> tell(live) == 1);

      TellingModels.publish(directory, 3);
      await().atMost(PATIENCE).until(() -> tell(live) == 3);
    }
  }

  @Test
  void anEngineThatCannotWorkFailsForGood() throws Exception {
    QueuedModels models = new QueuedModels(directory);
    models.fail(new UnusableEngineException("no library", null));

    assertThatThrownBy(() -> open(models, PATIENCE))
        .isInstanceOf(NonRecoverableException.class)
        .hasMessage("no library");
    assertThat(models.isClosed()).isTrue();
  }

  @Test
  void anEngineThatFailsLaterEndsPredictions() throws Exception {
    QueuedModels models = new QueuedModels(directory);
    models.publish(1);
    try (LiveScorer live = open(models, PATIENCE)) {
      models.fail(new UnusableEngineException("no library", null));

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> predict(live, 1))
                      .isInstanceOf(NonRecoverableException.class)
                      .hasMessage("no library"));
    }
  }

  private LiveScorer open(Duration patience) throws InterruptedException {
    return open(ModelDirectory.of(directory.toString(), false), patience);
  }

  private static LiveScorer open(ModelPlace place, Duration patience) throws InterruptedException {
    return LiveScorer.open(
        place, POLL, patience, DeviceRequest.any(), BATCH, new UnregisteredMetricsGroup());
  }

  private static float predict(LiveScorer live, float feature) {
    Example example = new Example(live.shape());
    example.features()[0] = feature;
    return predict(live, example)[0];
  }

  /** The round that a telling model tells. */
  private static long tell(LiveScorer live) {
    return (long) predict(live, new Example(live.shape()))[1];
  }

  private static float[] predict(LiveScorer live, Example example) {
    live.add(example);
    assertThat(live.predict()).isEmpty();
    return live.outputs(0);
  }

  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[i]));
    return bits;
  }

  private void publish(ExampleShape shape, Map<String, String> options) throws Exception {
    InitialModel network = TestModels.random("mlp", shape);
    TellingModels.publish(
        directory,
        new GlobalModel(
            network.spec(),
            new ModelVersion(1, 1),
            1,
            Arrays.copyOf(network.vector(), network.spec().parameters()),
            FeatureStatistics.of(
                10, new double[] {1, 2, 3, 4, 5}, new double[] {10, 20, 30, 40, 50}),
            new Ledger(),
            Measures.NONE,
            new Lineage(null, options)));
  }

  private ServedModel read(ExampleShape shape) throws Exception {
    try (SnapshotFeed feed = SnapshotFeed.directory(directory, Pointer.LATEST)) {
      PublishedSnapshot snapshot = feed.poll().orElseThrow();
      return ServedModel.read(snapshot, shape, List.of());
    }
  }
}
