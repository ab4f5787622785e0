package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.BadModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scorer with the models that a watch finds. */
class FollowingScorerTest {

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path temporary;

  private Path directory;
  private final Queue<ServedModel> models = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private final class Found implements ModelWatch.Listener {

    @Override
    public void publish(ServedModel model) {
      models.add(model);
    }

    @Override
    public void refuse(String why) {
      refused.incrementAndGet();
    }

    @Override
    public void fail(Throwable cause) {
      failure.set(cause);
    }
  }

  /**
   * A writer publishes good models and bad ones as fast as it can, all the while. It lets the first
   * bad one stay until it has been refused.
   */
  @Test
  void eachPredictionIsOfExactlyOnePublishedVersion() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    directory = Files.createDirectory(temporary.resolve("models"));
    TellingModels.publish(directory, 1);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> publishUpTo(40, new Random(seed + 1)));
    ModelWatch watch = start();
    try (Scorer scorer =
        new Scorer(TellingModels.SHAPE, DeviceRequest.any(), 8, Duration.ofMillis(1))) {
      await().atMost(PATIENCE).until(() -> !models.isEmpty());
      scorer.serve(models.remove());
      Example example = new Example(TellingModels.SHAPE);
      for (int i = 0; !writing.isDone() || i < 100; i++) {
        ServedModel newest = random.nextInt(8) == 0 ? models.poll() : null;
        if (newest != null) {
          scorer.serve(newest);
        }
        example.features()[0] = i % 1000;
        example.setOrigin(new Partition("t", 0), i % 1000);
        scorer.add(example, 0, 0);
        if (scorer.isFull() || random.nextInt(5) == 0) {
          scorer.predict(
              prediction -> assertTellsItsVersion(prediction, seed),
              rejected -> assertThat(rejected).as("seed %s", seed).isNull());
        }
      }
    } finally {
      watch.close();
    }
    writing.join();
    assertThat(failure).hasValue(null);
    assertThat(refused.get()).as("seed %d", seed).isPositive();
  }

  private ModelWatch start() {
    return ModelWatch.start(
        () -> SnapshotFeed.directory(directory, Pointer.LATEST),
        snapshot -> ServedModel.read(snapshot, TellingModels.SHAPE, List.of()),
        Duration.ofMillis(1),
        new Found());
  }

  private void publishUpTo(int rounds, Random random) {
    try {
      for (int round = 2; round <= rounds; round++) {
        if (random.nextInt(3) == 0) {
          BadModel[] kinds = BadModel.values();
          kinds[random.nextInt(kinds.length)].publish(directory, round);
          await().atMost(PATIENCE).until(() -> refused.get() > 0);
        } else {
          TellingModels.publish(directory, round);
        }
        LockSupport.parkNanos(random.nextInt(20_000_000));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertTellsItsVersion(Prediction prediction, long seed) {
    assertThat(prediction.outputs())
        .as("seed %d", seed)
        .containsExactly((float) prediction.offset(), (float) prediction.version().round());
  }
}
