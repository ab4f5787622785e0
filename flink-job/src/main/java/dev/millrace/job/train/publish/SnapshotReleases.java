package dev.millrace.job.train.publish;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.HoldOutResult;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final List<ListenerNews> listeners;

  /** What hasn't been adopted yet; read by the task's thread, too. */
  private final List<Adoption> toAdopt = new CopyOnWriteArrayList<>();

  private Writers writers = Writers.first();
  private SnapshotStore store;
  private SnapshotWriter writer;
  private ModelVersion newest;

  SnapshotReleases(String engine, ReleaseSettings settings, Consumer<String> records) {
    this.engine = engine;
    this.settings = settings;
    this.records = records;
    this.listeners = settings.listeners().stream().map(ListenerNews::new).toList();
  }

  /** Goes on from what attempts before have written; called before anything else. */
  void continueFrom(Writers earlier, List<Adoption> left) {
    writers = earlier;
    toAdopt.addAll(left);
  }

  /** Called on the thread that releases, before anything else there. */
  void begin() {
    listeners.forEach(ListenerNews::tellBegan);
  }

  /** Called on the thread that releases, after everything else there but {@link #close}. */
  void end(boolean finished) {
    listeners.forEach(listener -> listener.tellEnded(finished));
  }

  /** Ids for those who go on from what this attempt writes. */
  List<String> writers() {
    return writers.ids();
  }

  boolean isGated() {
    return settings.gate().isPresent();
  }

  /**
   * Releases a model; without effect if it has been released already.
   *
   * @param beforeDrift whether it is the model of before a drift
   */
  void release(GlobalModel model, Optional<HoldOutResult> holdOut, boolean beforeDrift)
      throws IOException {
    if (!model.version().equals(newest)) {
      adoptWhatIsLeft();
      released(writer().write(model, holdOut, beforeDrift));
      sweep();
    }
  }

  /**
   * Releases the last model, which is served even where later rounds have been released; without
   * effect if it has been released already.
   *
   * @throws dev.millrace.snapshot.RefusedModelException if a later attempt, or another job, has
   *     released a newer one
   */
  void releaseLast(GlobalModel model, Optional<HoldOutResult> holdOut) throws IOException {
    if (!model.version().equals(newest)) {
      adoptWhatIsLeft();
      released(writer().writeLast(model, holdOut));
    }
  }

  private void released(SnapshotDescription snapshot) throws IOException {
    newest = snapshot.version();
    String archive = store.locate(snapshot.archive());
    if (snapshot.mayBeServed()) {
      LOG.info("Model {} is in {}", newest, archive);
    } else {
      LOG.warn("Model {} is in {}, and isn't served: {}", newest, archive, snapshot.gate());
    }
    records.accept(MetricRecords.snapshot(snapshot, archive, System.currentTimeMillis()));
    for (ListenerNews listener : listeners) {
      listener.tellLatest(store);
    }
  }

  /** Whoever follows the models has been told of the new one by now: it is served all the same. */
  private void sweep() {
    try {
      writer.sweep();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Old models in {} can't be deleted; that is tried again with the next model",
          store.locate(""),
          e);
    }
  }

  /** Returns what isn't adopted yet: that is tried before each release and commit. Thread-safe. */
  List<Adoption> toAdopt() {
    return List.copyOf(toAdopt);
  }

  /** Commits what attempts before this one have released; what fails is left. */
  void adoptWhatIsLeft() {
    for (Adoption adoption : toAdopt()) {
      try {
        for (SnapshotDescription snapshot : writer().adopt(adoption.covered())) {
          if (Objects.equals(snapshot.checkpoint(), adoption.checkpoint())) {
            // The attempt that committed it may have died before it told anybody.
            tellCommitted(snapshot, true);
          } else if (snapshot.mayBeServed()) {
            listeners.forEach(listener -> listener.tellCommittedBefore(snapshot));
          }
        }
        commitCovered(adoption.covered(), adoption.checkpoint(), true);
        toAdopt.remove(adoption);
      } catch (IOException | RuntimeException e) {
        LOG.error(
            "Models up to {}, which checkpoint {} covers, could not be committed; that is tried"
                + " again with the next model",
            adoption.covered(),
            adoption.checkpoint(),
            e);
        return;
      }
    }
  }

  void commit(ModelVersion covered, long checkpoint) throws IOException {
    adoptWhatIsLeft();
    if (writer != null) {
      commitCovered(covered, checkpoint, false);
    }
  }

  private void commitCovered(ModelVersion covered, long checkpoint, boolean again)
      throws IOException {
    for (SnapshotDescription snapshot : writer.commit(covered, checkpoint)) {
      records.accept(
          MetricRecords.snapshot(
              snapshot, store.locate(snapshot.archive()), System.currentTimeMillis()));
      tellCommitted(snapshot, again);
    }
    for (ListenerNews listener : listeners) {
      listener.tellServed(store);
    }
  }

  private void tellCommitted(SnapshotDescription snapshot, boolean again) {
    if (snapshot.mayBeServed()) {
      listeners.forEach(listener -> listener.tellCommitted(snapshot, again, store));
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
              writers,
              settings.signer());
    }
    return writer;
  }

  @Override
  public void close() {
    listeners.forEach(ListenerNews::close);
  }
}
