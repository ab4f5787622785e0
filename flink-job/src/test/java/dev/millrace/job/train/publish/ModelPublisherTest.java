package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.CountDownLatch;
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
    ModelPublisher publisher =
        new ModelPublisher(
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
                    List.of(new Slow()),
                    null,
                    null)),
            record -> {},
            PublisherThread.OWN.start());
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
