package dev.millrace.job.score;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Models that a test publishes; the watch finds one at each of its looks. Each has one parameter:
 * 1000 times its round, where the test says no other.
 */
final class QueuedModels implements ModelPlace {

  private static final ModelSpec SPEC = SummingEngine.spec(1);

  private static final long serialVersionUID = 1;

  /** What a look finds; throws what it is to fail with. */
  private interface Find {
    PublishedSnapshot look() throws IOException;
  }

  private final transient LinkedBlockingQueue<Find> finds = new LinkedBlockingQueue<>();
  private final transient Path directory;
  private final AtomicBoolean closed = new AtomicBoolean();

  QueuedModels(Path directory) {
    this.directory = directory;
  }

  void publish(long round) throws IOException {
    publish(round, 1000f * round);
  }

  void publish(long round, float parameter) throws IOException {
    PublishedSnapshot snapshot = snapshot(round, parameter);
    finds.add(() -> snapshot);
  }

  void fail(RuntimeException failure) {
    finds.add(
        () -> {
          throw failure;
        });
  }

  boolean isClosed() {
    return closed.get();
  }

  @Override
  public SnapshotFeed open() {
    return new SnapshotFeed() {
      @Override
      public Optional<PublishedSnapshot> poll() throws IOException {
        Find next = finds.poll();
        return next == null ? Optional.empty() : Optional.of(next.look());
      }

      @Override
      public void close() {
        closed.set(true);
      }
    };
  }

  private PublishedSnapshot snapshot(long round, float parameter) throws IOException {
    GlobalModel model =
        new GlobalModel(
            SPEC,
            new ModelVersion(1, round),
            round,
            new float[] {parameter},
            new FeatureStatistics(0),
            new Ledger(),
            Measures.NONE,
            Lineage.NONE);
    Path archive = directory.resolve("model-" + round);
    ModelEngine.named(SummingEngine.NAME).writeArchive(model, Optional.empty(), archive);
    return new PublishedSnapshot(
        SnapshotDescription.of(model, Optional.empty(), Instant.EPOCH),
        archive.toString(),
        archive);
  }
}
