package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.BadModel;
import dev.millrace.job.testing.TellingModels;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ModelWatchTest {

  private static final Duration INTERVAL = Duration.ofMillis(1);

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path temporary;

  private Path directory;
  private final Found found = new Found();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicReference<Error> planted = new AtomicReference<>();
  private final AtomicReference<Error> plantedInReader = new AtomicReference<>();
  private ModelWatch watch;

  /** The round of the model whose rows aren't there yet. */
  private volatile long waitsForRows = -1;

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
    public void refuse(String why) {
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

    await()
        .atMost(PATIENCE)
        .untilAtomic(found.refused, refused -> assertThat(refused).isPositive());
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

  static Error[] errors() {
    return new Error[] {
      new OutOfMemoryError("Java heap space"),
      new StackOverflowError(),
      new NoClassDefFoundError("org/other/Layer")
    };
  }

  @ParameterizedTest
  @MethodSource("errors")
  void aLookThatMakesAnErrorIsARefusalAndTheNextGoodModelIsTaken(Error error) throws IOException {
    TellingModels.publish(directory, 1);
    start();
    assertNext(1);

    planted.set(error);

    await()
        .atMost(PATIENCE)
        .untilAtomic(found.refused, refused -> assertThat(refused).isEqualTo(1));
    TellingModels.publish(directory, 2);
    assertNext(2);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void aModelThatMakesAnErrorIsRefusedAndTheNextGoodOneTaken(Error error) throws IOException {
    TellingModels.publish(directory, 1);
    start();
    assertNext(1);

    plantedInReader.set(error);
    TellingModels.publish(directory, 2);

    await()
        .atMost(PATIENCE)
        .untilAtomic(found.refused, refused -> assertThat(refused).isEqualTo(1));
    TellingModels.publish(directory, 3);
    assertNext(3);
  }

  /** A model whose rows aren't there is no bad one: they come. */
  @Test
  void aModelWaitsForItsRowsUntilAnotherComes() throws IOException {
    waitsForRows = 1;
    TellingModels.publish(directory, 1);
    start();
    awaitLooks(5);
    assertThat(found.models).isEmpty();
    waitsForRows = 0;
    assertNext(1);

    waitsForRows = 2;
    TellingModels.publish(directory, 2);
    awaitLooks(5);
    TellingModels.publish(directory, 3);
    assertNext(3);
    waitsForRows = 0;

    awaitLooks(5);
    assertThat(found.models).as("the one that waited is passed over").isEmpty();
    assertThat(found.refused).hasValue(0);
  }

  private void start() {
    watch =
        ModelWatch.start(
            () -> counting(SnapshotFeed.directory(directory, Pointer.LATEST)),
            this::read,
            INTERVAL,
            found);
  }

  private ServedModel read(PublishedSnapshot snapshot) {
    Error error = plantedInReader.getAndSet(null);
    if (error != null) {
      throw error;
    }
    if (snapshot.description().version().round() == waitsForRows) {
      throw new MissingRowsException("there are no rows yet");
    }
    return ServedModel.read(snapshot, TellingModels.SHAPE, List.of());
  }

  private SnapshotFeed counting(SnapshotFeed feed) {
    return new SnapshotFeed() {
      @Override
      public Optional<PublishedSnapshot> poll() throws IOException {
        looks.incrementAndGet();
        Error failure = planted.getAndSet(null);
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
    await().atMost(PATIENCE).until(() -> looks.get() > seen + count);
  }

  private void assertNext(long round) {
    await().atMost(PATIENCE).until(() -> !found.models.isEmpty());
    assertThat(found.models.remove().version().round()).isEqualTo(round);
  }
}
