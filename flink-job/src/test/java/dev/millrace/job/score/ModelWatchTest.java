package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.job.testing.HugeModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TellingModels.Snapshot;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
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

  /** Ways in which a published model is no good. */
  enum Bad {
    TRUNCATED {
      @Override
      void make(Path directory, long round) throws IOException {
        Path archive = TellingModels.publish(directory, round).archive();
        byte[] whole = Files.readAllBytes(archive);
        Files.write(archive, Arrays.copyOf(whole, whole.length - 30));
      }
    },
    GARBAGE {
      @Override
      void make(Path directory, long round) throws IOException {
        Snapshot snapshot = TellingModels.publish(directory, round);
        Files.writeString(snapshot.archive(), "no model at all");
      }
    },
    MISSING_ARCHIVE {
      @Override
      void make(Path directory, long round) throws IOException {
        Files.delete(TellingModels.publish(directory, round).archive());
      }
    },
    MISSING_DESCRIPTION {
      @Override
      void make(Path directory, long round) throws IOException {
        Files.delete(TellingModels.publish(directory, round).description());
      }
    },
    OTHER_INPUT_SIZE {
      @Override
      void make(Path directory, long round) throws IOException {
        ExampleShape other = new ExampleShape(2, 2, Target.REGRESSION);
        TellingModels.publish(directory, TellingModels.model(other, round));
      }
    },
    /** The description says what is wanted, and the archive is another network. */
    OTHER_NETWORK_THAN_DESCRIBED {
      @Override
      void make(Path directory, long round) throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        Path description = TellingModels.publish(elsewhere, round).description();
        OTHER_INPUT_SIZE.make(directory, round);
        Files.copy(
            description,
            directory.resolve(description.getFileName()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    },
    NOT_A_NUMBER {
      @Override
      void make(Path directory, long round) throws IOException {
        GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
        model.vector()[1] = Float.NaN;
        TellingModels.publish(directory, model);
      }
    },
    MORE_THAN_MEMORY {
      @Override
      void make(Path directory, long round) throws IOException {
        HugeModel.publish(directory, round);
      }
    },
    OF_AN_ENGINE_THAT_IS_NOT_THERE {
      @Override
      void make(Path directory, long round) throws IOException {
        Path described = TellingModels.publish(directory, round).description();
        String description = Files.readString(described);
        Files.writeString(described, description.replace("\"dl4j\"", "\"tensorflux\""));
      }
    };

    /** Makes one in a directory that nobody watches. */
    abstract void make(Path directory, long round) throws IOException;

    void publish(Path directory, long round) throws IOException {
      Path staging = Files.createTempDirectory(directory.getParent(), "staging");
      make(staging, round);
      for (String file :
          List.of("model-1." + round + ".zip", "model-1." + round + ".json", "latest.json")) {
        if (Files.exists(staging.resolve(file))) {
          Files.move(
              staging.resolve(file), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        }
      }
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
  void aBadModelIsRefusedOnceAndTheNextGoodOneTaken(Bad bad) throws IOException {
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
          Bad[] kinds = Bad.values();
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
