package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.LatestSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.deeplearning4j.util.ModelSerializer;

/**
 * Loads the latest model again and again, with plain DL4J: it must be there, whole, and never older
 * than the one before.
 */
final class SnapshotObserver implements AutoCloseable {

  private final Path models;
  private final Thread thread = new Thread(this::observe, "observer");
  private final AtomicInteger found = new AtomicInteger();
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean closed;

  private SnapshotObserver(Path models) {
    this.models = models;
  }

  static SnapshotObserver start(Path models) {
    SnapshotObserver observer = new SnapshotObserver(models);
    observer.thread.start();
    return observer;
  }

  private void observe() {
    ModelVersion newest = null;
    try {
      while (!closed) {
        Optional<LatestSnapshot> latest = LatestSnapshot.find(models);
        if (latest.isPresent()) {
          ModelVersion version = latest.get().description().version();
          if (newest != null && version.compareTo(newest) < 0) {
            throw new AssertionError("Model %s came after %s".formatted(version, newest));
          }
          if (!version.equals(newest)) {
            ModelSerializer.restoreMultiLayerNetwork(latest.get().archive().toFile(), true).close();
            newest = version;
            found.incrementAndGet();
          }
        } else if (newest != null) {
          throw new AssertionError("There is no latest model any more, after " + newest);
        }
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
    } catch (Exception | AssertionError e) {
      fault.set(e);
    } finally {
      done.complete(null);
    }
  }

  int found() {
    return found.get();
  }

  void awaitMore(int models, Duration limit) {
    int before = found.get();
    await().atMost(limit).until(() -> fault.get() != null || found.get() >= before + models);
    requireNoFault();
  }

  void requireNoFault() {
    if (fault.get() != null) {
      throw new AssertionError("The latest model could not be loaded", fault.get());
    }
  }

  @Override
  public void close() {
    closed = true;
    done.join();
  }
}
