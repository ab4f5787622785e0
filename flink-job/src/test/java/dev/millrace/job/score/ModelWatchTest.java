package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelWatchTest {

  private static final Duration INTERVAL = Duration.ofMillis(1);

  @TempDir private Path temporary;

  private Path directory;
  private final Found found = new Found();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicReference<OutOfMemoryError> planted = new AtomicReference<>();
  private ModelWatch watch;

  /** What the watch tells. */
  private static final class Found implements ModelWatch.Listener {

    final Queue<ServedModel> models = new ConcurrentLinkedQueue<>();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    @Override
    public void publish(ServedModel model) {
      models.add(model);
    }

    @Override
    public void refuse() {
      refused.incrementAndGet();
    }

    @Override
    public void fail(Throwable cause) {
      failure.set(cause);
    }
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createDirectory(temporary.resolve("models"));
  }

  @AfterEach
  void stop() {
    watch.close();
    assertThat(found.failure.get()).isNull();
  }

  @Test
  void handsOverEachModelThatIsPublished() throws IOException {
    start();
    awaitLooks(3);
    assertThat(found.models).isEmpty();

    TellingModels.publish(directory, 1);
    assertNext(1);
    TellingModels.publish(directory, 2);
    assertNext(2);

    awaitLooks(3);
    assertThat(found.models).isEmpty();
    assertThat(found.refused).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void aBadModelIsRefusedOnceAndTheNextGoodOneTaken(BadModel bad) throws IOException {
    TellingModels.publish(directory, 1);
    start();
    assertNext(1);

    bad.publish(directory, 2);

    await().untilAtomic(found.refused, refused -> assertThat(refused).isPositive());
    awaitLooks(5);
    assertThat(found.refused).hasValue(1);
    assertThat(found.models).isEmpty();
    TellingModels.publish(directory, 3);
    assertNext(3);
  }

  @Test
  void aPointerThatCannotBeReadIsNoNews() throws IOException {
    TellingModels.publish(directory, 1);
    start();
    assertNext(1);
    Path pointer = directory.resolve(Pointer.LATEST);
    String whole = Files.readString(pointer);

    Files.writeString(pointer, whole.substring(0, 20));

    awaitLooks(3);
    assertThat(found.refused).hasValue(0);
    Files.writeString(pointer, whole);
    awaitLooks(3);
    assertThat(found.models).isEmpty();
    assertThat(found.refused).hasValue(0);
  }

  /** A writer publishes good models and bad ones as fast as it can, all the while. */
  @Test
  void eachPredictionIsOfExactlyOnePublishedVersion() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    TellingModels.publish(directory, 1);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> publishUpTo(40, new Random(seed + 1)));
    start();
    await().until(() -> !found.models.isEmpty());
    try (Scorer scorer =
        new Scorer(TellingModels.SHAPE, DeviceRequest.any(), 8, Duration.ofMillis(1))) {
      scorer.serve(found.models.remove());
      Example example = new Example(TellingModels.SHAPE);
      for (int i = 0; !writing.isDone() || i < 100; i++) {
        ServedModel newest = random.nextInt(8) == 0 ? found.models.poll() : null;
        if (newest != null) {
          scorer.serve(newest);
        }
        example.features()[0] = i % 1000;
        example.setOrigin(new Partition("t", 0), i % 1000);
        scorer.add(example, 0, 0);
        if (scorer.isFull() || random.nextInt(5) == 0) {
          scorer.predict(prediction -> assertTellsItsVersion(prediction, seed));
        }
      }
    }
    writing.join();
    assertThat(found.refused.get()).as("seed %d", seed).isPositive();
  }

  private void publishUpTo(int rounds, Random random) {
    try {
      for (int round = 2; round <= rounds; round++) {
        if (random.nextInt(3) == 0) {
          BadModel[] kinds = BadModel.values();
          kinds[random.nextInt(kinds.length)].publish(directory, round);
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

  @Test
  void aLookThatTakesMoreThanMemoryIsARefusalAndTheNextGoodModelIsTaken() throws IOException {
    TellingModels.publish(directory, 1);
    start();
    assertNext(1);

    planted.set(new OutOfMemoryError("Java heap space"));

    await().untilAtomic(found.refused, refused -> assertThat(refused).isEqualTo(1));
    TellingModels.publish(directory, 2);
    assertNext(2);
  }

  private void start() {
    watch =
        ModelWatch.start(
            () -> counting(SnapshotFeed.directory(directory, Pointer.LATEST)),
            TellingModels.SHAPE,
            List.of(),
            INTERVAL,
            found);
  }

  private SnapshotFeed counting(SnapshotFeed feed) {
    return new SnapshotFeed() {
      @Override
      public Optional<PublishedSnapshot> poll() throws IOException {
        looks.incrementAndGet();
        OutOfMemoryError failure = planted.getAndSet(null);
        if (failure != null) {
          throw failure;
        }
        return feed.poll();
      }

      @Override
      public void close() throws IOException {
        feed.close();
      }
    };
  }

  /** So many that all that was there before has been seen. */
  private void awaitLooks(int count) {
    int seen = looks.get();
    await().until(() -> looks.get() > seen + count);
  }

  private void assertNext(long round) {
    await().until(() -> !found.models.isEmpty());
    assertThat(found.models.remove().version().round()).isEqualTo(round);
  }
}
