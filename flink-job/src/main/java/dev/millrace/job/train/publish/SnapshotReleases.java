package dev.millrace.job.train.publish;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases models as snapshots, and tells listeners and the metrics of it. The place is opened when
 * the first one is released.
 *
 * <p>Not thread-safe.
 */
final class SnapshotReleases implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotReleases.class);

  private final String engine;
  private final ReleaseSettings settings;
  private final Consumer<String> records;
  private SnapshotStore store;
  private SnapshotWriter writer;
  private ModelVersion newest;

  SnapshotReleases(String engine, ReleaseSettings settings, Consumer<String> records) {
    this.engine = engine;
    this.settings = settings;
    this.records = records;
  }

  boolean isGated() {
    return settings.gate().isPresent();
  }

  /**
   * Without effect if the model has been released already.
   *
   * @param beforeDrift whether it is the model of before a drift
   */
  void release(GlobalModel model, Optional<Measures> holdOut, boolean beforeDrift)
      throws IOException {
    if (model.version().equals(newest)) {
      return;
    }
    SnapshotDescription snapshot = writer().write(model, holdOut, beforeDrift);
    newest = model.version();
    String archive = store.locate(snapshot.archive());
    if (snapshot.mayBeServed()) {
      LOG.info("Model {} is in {}", model.version(), archive);
    } else {
      LOG.warn(
          "Model {} is in {}, and isn't served: {}", model.version(), archive, snapshot.gate());
    }
    records.accept(MetricRecords.snapshot(snapshot, archive, System.currentTimeMillis()));
    if (isNamed(Pointer.LATEST, snapshot)) {
      tell(snapshot, ReleaseListener::released);
    }
  }

  /** Not where the gate refuses it, and not while another is held. */
  private boolean isNamed(String pointer, SnapshotDescription snapshot) throws IOException {
    return new SnapshotCatalog(store)
        .pointer(pointer)
        .filter(served -> served.version().equals(snapshot.version().toString()))
        .isPresent();
  }

  void adopt(ModelVersion covered, long checkpoint) throws IOException {
    writer().adopt(covered);
    commit(covered, checkpoint);
  }

  void commit(ModelVersion covered, long checkpoint) throws IOException {
    if (writer == null) {
      return;
    }
    List<SnapshotDescription> committed = writer.commit(covered, checkpoint);
    for (SnapshotDescription snapshot : committed) {
      records.accept(
          MetricRecords.snapshot(
              snapshot, store.locate(snapshot.archive()), System.currentTimeMillis()));
      if (snapshot.mayBeServed()) {
        boolean served = isNamed(Pointer.COMMITTED, snapshot);
        tell(snapshot, (listener, model, place) -> listener.committed(model, place, served));
      }
    }
  }

  private SnapshotWriter writer() throws IOException {
    if (writer == null) {
      store = settings.place().open();
      writer =
          new SnapshotWriter(
              store,
              ModelEngine.named(engine),
              settings.gate(),
              settings.retention(),
              InstantSource.system(),
              settings.signer());
    }
    return writer;
  }

  private void tell(SnapshotDescription snapshot, Telling telling) {
    for (ReleaseListener listener : settings.listeners()) {
      try {
        telling.tell(listener, snapshot, store);
      } catch (IOException | RuntimeException e) {
        LOG.error("Model {} is published, but {} failed", snapshot.version(), listener, e);
      }
    }
  }

  @Override
  public void close() {
    settings.listeners().forEach(ReleaseListener::close);
  }

  private interface Telling {
    void tell(ReleaseListener listener, SnapshotDescription snapshot, SnapshotStore store)
        throws IOException;
  }
}
