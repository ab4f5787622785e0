package dev.millrace.job.publish;

import dev.millrace.job.evaluation.HoldOut;
import dev.millrace.job.evaluation.MetricRecords;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures and writes complete models on a thread of its own, so that training never waits for it.
 * When models come faster than it works, the newest wins.
 *
 * <p>A model that can't be measured or written is logged and left out; only the last one, see
 * {@link #publishLast}, must succeed.
 */
final class ModelPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ModelPublisher.class);

  private final PublisherSettings settings;
  private final Consumer<String> records;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "millrace-publisher");
            thread.setDaemon(true);
            return thread;
          });
  private final AtomicReference<GlobalModel> toMeasure = new AtomicReference<>();
  private final AtomicReference<GlobalModel> toWrite = new AtomicReference<>();

  private volatile ModelVersion written;

  // Of the worker's thread alone.
  private HoldOut holdOut;
  private ModelReplica replica;
  private SnapshotWriter writer;

  /**
   * @param records receives metric records, on the worker's thread
   */
  ModelPublisher(PublisherSettings settings, Consumer<String> records) {
    this.settings = settings;
    this.records = records;
  }

  void measureSoon(GlobalModel model) {
    if (settings.holdOut() != null) {
      toMeasure.set(model);
      enqueue(
          () -> {
            GlobalModel newest = toMeasure.getAndSet(null);
            if (newest != null) {
              measure(newest);
            }
          });
    }
  }

  void writeSoon(GlobalModel model) {
    if (settings.directory() != null) {
      toWrite.set(model);
      enqueue(
          () -> {
            GlobalModel newest = toWrite.getAndSet(null);
            if (newest != null && !newest.version().equals(written)) {
              write(newest, Optional.empty());
            }
          });
    }
  }

  /** The version of the model that was written last, null before the first. */
  ModelVersion written() {
    return written;
  }

  /**
   * Measures and writes a model, and returns when that is done. One that can't be measured is
   * written all the same.
   */
  void publishLast(GlobalModel model) throws IOException, InterruptedException {
    Future<?> done =
        worker.submit(
            () -> {
              toMeasure.set(null);
              toWrite.set(null);
              write(model, tryToMeasure(model));
              return null;
            });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IOException("The last model could not be published", e.getCause());
    }
  }

  private void enqueue(IoTask task) {
    worker.execute(
        () -> {
          try {
            task.run();
          } catch (IOException | RuntimeException e) {
            LOG.error("A model could not be published; the next one is tried again", e);
          }
        });
  }

  private Optional<Measures> tryToMeasure(GlobalModel model) {
    try {
      return settings.holdOut() == null ? Optional.empty() : measure(model);
    } catch (IOException | RuntimeException e) {
      LOG.error("The last model can't be measured, and is written without that", e);
      return Optional.empty();
    }
  }

  private Optional<Measures> measure(GlobalModel model) throws IOException {
    if (holdOut == null) {
      holdOut = settings.holdOut().read();
      replica =
          ModelEngine.named(settings.spec().engine()).build(settings.spec(), DeviceRequest.guest());
      LOG.info("The hold-out set has {} examples", holdOut.size());
    }
    Measures measures = holdOut.evaluate(model, replica);
    records.accept(MetricRecords.holdOut(model, measures, System.currentTimeMillis()));
    return Optional.of(measures);
  }

  private void write(GlobalModel model, Optional<Measures> measures) throws IOException {
    if (settings.directory() == null) {
      return;
    }
    if (writer == null) {
      writer =
          new SnapshotWriter(
              SnapshotStore.directory(Path.of(settings.directory())),
              ModelEngine.named(settings.spec().engine()),
              settings.configuration(),
              settings.keep(),
              InstantSource.system());
    }
    Path archive = writer.write(model, measures).archive();
    written = model.version();
    LOG.info("Model {} is in {}", model.version(), archive);
    records.accept(MetricRecords.snapshot(model, archive.toString(), System.currentTimeMillis()));
  }

  @Override
  public void close() {
    worker.execute(
        () -> {
          if (replica != null) {
            replica.close();
          }
        });
    worker.shutdown();
  }

  private interface IoTask {
    void run() throws IOException;
  }
}
