package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ModelPublisherTest {

  private static final CountDownLatch BUSY = new CountDownLatch(1);
  private static final CountDownLatch GO_ON = new CountDownLatch(1);

  @TempDir private Path directory;

  @Test
  void theModelOfBeforeADriftIsWrittenThoughThePublisherIsBehind() throws Exception {
    ModelPublisher publisher = publisher(List.of(new Slow()), PublisherThread.OWN.start());
    publisher.releaseSoon(model(1));
    assertThat(BUSY.await(1, TimeUnit.MINUTES)).isTrue();
    publisher.releaseSoon(model(9));
    publisher.releaseSoon(model(10));
    publisher.releaseBeforeDrift(model(11));
    publisher.releaseSoon(model(12));
    publisher.releaseSoon(model(13));
    GO_ON.countDown();
    publisher.close(true);

    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    NavigableSet<ModelVersion> versions = catalog.versions();
    assertThat(versions)
        .as("the newest of before it, itself, and the newest behind it")
        .containsExactly(version(1), version(10), version(11), version(13));
    assertThat(catalog.find(version(11)).orElseThrow().wasBeforeDrift()).isTrue();
  }

  /** No other model comes where no records do. */
  @Test
  void aModelThatCouldNotBeWrittenIsTriedAgainWithTheNextCheckpoint() throws Exception {
    ExecutorService worker = PublisherThread.OWN.start();
    ModelPublisher publisher = publisher(List.of(), worker);
    Path inTheWay = Files.createDirectories(directory.resolve("model-1.1.zip/in-the-way"));
    publisher.releaseSoon(model(1));
    awaitAll(worker);
    publisher.commitSoon(version(1), 1);
    awaitAll(worker);
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    assertThat(catalog.versions()).isEmpty();

    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    publisher.commitSoon(version(1), 2);
    publisher.close(true);

    assertThat(catalog.find(version(1)).orElseThrow().checkpoint()).isEqualTo(2);
    assertThat(catalog.pointer(Pointer.LATEST).orElseThrow().version()).isEqualTo("1.1");
    assertThat(catalog.pointer(Pointer.COMMITTED).orElseThrow().version()).isEqualTo("1.1");
  }

  /** What was made behind the savepoint is learned again, and comes then. */
  @Test
  void behindTheLastModelNoneIsTriedAgain() throws Exception {
    ExecutorService worker = PublisherThread.OWN.start();
    ModelPublisher publisher = publisher(List.of(), worker);
    Path inTheWay = Files.createDirectories(directory.resolve("model-1.2.zip/in-the-way"));
    publisher.releaseSoon(model(2));
    awaitAll(worker);
    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());

    publisher.releaseLast(model(1));
    publisher.commitSoon(version(1), 1);
    publisher.close(true);

    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    assertThat(catalog.versions()).containsExactly(version(1));
  }

  private static void awaitAll(ExecutorService worker) throws Exception {
    worker.submit(() -> {}).get();
  }

  private ModelPublisher publisher(List<ReleaseListener> listeners, ExecutorService worker) {
    return new ModelPublisher(
        new PublisherSettings(
            model(1).spec(),
            model(1).spec().layout(3, true),
            null,
            null,
            DeviceRequest.guest(),
            new ReleaseSettings(
                SnapshotPlace.of(directory.toString()),
                null,
                new Retention(9, 0, 9),
                listeners,
                null,
                null)),
        record -> {},
        worker);
  }

  private static ModelVersion version(long round) {
    return new ModelVersion(1, round);
  }

  private static GlobalModel model(long round) {
    return TellingModels.model(TellingModels.SHAPE, round);
  }

  /** Busy with the first model until more have come. */
  private static final class Slow implements ReleaseListener {

    private static final long serialVersionUID = 1;

    @Override
    public void released(SnapshotDescription snapshot, SnapshotStore store) {
      BUSY.countDown();
      try {
        GO_ON.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again) {}

    @Override
    public void close() {}
  }
}
