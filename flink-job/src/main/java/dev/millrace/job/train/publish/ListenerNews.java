package dev.millrace.job.train.publish;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.InputErrors;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one listener what is served. What it was told last is compared with the place again
 * afterwards: a person may put another model back at any time, also while it is told. What it
 * couldn't take is told again with the next model.
 *
 * <p>Not thread-safe.
 */
final class ListenerNews implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerNews.class);

  private final ReleaseListener listener;

  /** Null where none was, or it isn't known what the listener made of it. */
  private ModelVersion latest;

  /**
   * The latest committed model that the listener was told of; null where none was, or it isn't
   * known what the listener made of it.
   */
  private ModelVersion committed;

  ListenerNews(ReleaseListener listener) {
    this.listener = listener;
  }

  /** Tells that an attempt of the job begins. */
  void tellBegan() {
    tell("An attempt of the job begins", listener::began);
  }

  /** Tells that an attempt of the job ends. */
  void tellEnded(boolean finished) {
    tell("An attempt of the job ends", () -> listener.ended(finished));
  }

  /** Tells which model is served, if it is another than last time. */
  void tellLatest(SnapshotStore store) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    for (Optional<SnapshotDescription> named = catalog.described(Pointer.LATEST);
        named.isPresent() && !named.get().version().equals(latest);
        named = catalog.described(Pointer.LATEST)) {
      SnapshotDescription served = named.get();
      latest = null;
      if (!tell(served.version(), () -> listener.released(served, store))) {
        return;
      }
      latest = served.version();
    }
  }

  /**
   * Tells that a checkpoint covers a model.
   *
   * @param again whether the listener may have been told before, by an attempt that failed
   */
  void tellCommitted(SnapshotDescription snapshot, boolean again, SnapshotStore store) {
    tell(snapshot.version(), () -> listener.committed(snapshot, store, again));
  }

  /** Tells that a checkpoint before the one that is gone on from covers a model. */
  void tellCommittedBefore(SnapshotDescription snapshot) {
    tell(snapshot.version(), () -> listener.committedBefore(snapshot));
  }

  /** Tells which committed model is served, if it is another than last time. */
  void tellServed(SnapshotStore store) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    for (Optional<Pointer> named = catalog.pointer(Pointer.COMMITTED);
        named.isPresent() && !ModelVersion.parse(named.get().version()).equals(committed);
        named = catalog.pointer(Pointer.COMMITTED)) {
      ModelVersion served = ModelVersion.parse(named.get().version());
      committed = null;
      if (!tell(served, () -> listener.served(served))) {
        return;
      }
      committed = served;
    }
  }

  private boolean tell(ModelVersion version, Telling telling) {
    return tell("Model %s is published".formatted(version), telling);
  }

  /** Whether the listener took it. */
  private boolean tell(String news, Telling telling) {
    try {
      telling.tell();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.error("{}, but {} failed", news, listener, e);
      return false;
    } catch (Error e) {
      // A library that can't be loaded here, for one: nothing else waits for it.
      LOG.error("{}, but {} failed: {}", news, listener, InputErrors.reason(e), e);
      return false;
    }
  }

  @Override
  public void close() {
    listener.close();
  }

  private interface Telling {
    void tell() throws IOException;
  }
}
