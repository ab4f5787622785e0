package dev.millrace.job.train.publish;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.HoldOutResult;
import dev.millrace.snapshot.RefusedModelException;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures and releases complete models on a thread of its own, so that training never waits for
 * it. When models come faster than it works, the newest wins.
 *
 * <p>A model that can't be measured or released is logged and left out; one that a failure kept
 * from being released is tried again with each checkpoint until a newer one comes. Only the last
 * one, see {@link #releaseLast}, must succeed.
 */
final class ModelPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(ModelPublisher.class);

  /** How long the end of a job waits for what is under way. */
  private static final long LAST_WORD_SECONDS = 60;

  private final Consumer<String> records;
  private final HoldOutMeter meterOrNull;
  private final SnapshotReleases releasesOrNull;
  private final ModelStream streamOrNull;
  private final ExecutorService worker;
  private final AtomicReference<GlobalModel> toMeasure = new AtomicReference<>();

  /** Kept while the job doesn't publish, for when it does again. */
  private List<String> keptWriters = List.of();

  private List<Adoption> keptAdoptions = List.of();

  /** Another one after each model that no later one may take the place of. */
  private AtomicReference<GlobalModel> toRelease = new AtomicReference<>();

  private volatile boolean abandoned;

  /**
   * @param records receives metric records, on the worker's thread
   * @param worker a thread; ended by {@link #close}
   */
  ModelPublisher(PublisherSettings settings, Consumer<String> records, ExecutorService worker) {
    this.records = records;
    this.worker = worker;
    this.meterOrNull =
        settings.holdOut() == null
            ? null
            : new HoldOutMeter(settings.holdOut(), settings.spec(), settings.device());
    this.releasesOrNull =
        settings.release() == null
            ? null
            : new SnapshotReleases(settings.spec().engine(), settings.release(), records);
    this.streamOrNull =
        settings.release() == null || settings.release().streamOrNull() == null
            ? null
            : settings.release().streamOrNull().open();
  }

  /** Tells those who don't wait for whole models what this one has learned. */
  void update(GlobalModel model) {
    if (streamOrNull != null) {
      streamOrNull.made(model);
    }
  }

  void measureSoon(GlobalModel model) {
    if (meterOrNull != null) {
      toMeasure.set(model);
      enqueueNewest(toMeasure, this::measure);
    }
  }

  void releaseSoon(GlobalModel model) {
    if (releasesOrNull != null) {
      toRelease.set(model);
      releaseNewest();
    }
  }

  /**
   * Releases the model of before a drift, soon: it is marked, and no later model takes its place,
   * nor that of one before it.
   */
  void releaseBeforeDrift(GlobalModel model) {
    if (releasesOrNull != null) {
      toRelease = new AtomicReference<>();
      enqueue(() -> release(model, true));
    }
  }

  /**
   * Goes on from attempts before this one, and commits what they released ahead of a checkpoint.
   * Called before anything else.
   */
  void continueFrom(Writers writers, List<Adoption> left) {
    if (releasesOrNull == null) {
      keptWriters = writers.earlier();
      keptAdoptions = left;
    } else {
      releasesOrNull.continueFrom(writers, left);
      enqueue(releasesOrNull::begin);
      if (!left.isEmpty()) {
        enqueue(releasesOrNull::adoptWhatIsLeft);
      }
    }
  }

  /** Ids for those who go on from what this attempt writes. */
  List<String> writers() {
    return releasesOrNull == null ? keptWriters : releasesOrNull.writers();
  }

  /** Returns what isn't adopted yet, and the next attempt has to. */
  List<Adoption> toAdopt() {
    return releasesOrNull == null ? keptAdoptions : releasesOrNull.toAdopt();
  }

  /** A checkpoint is complete: all that was released before it is committed. */
  void commitSoon(ModelVersion covered, long checkpoint) {
    if (releasesOrNull != null) {
      // No other model may come for a while: no rounds are made where no records come.
      releaseNewest();
      enqueue(() -> releasesOrNull.commit(covered, checkpoint));
    }
  }

  /**
   * Measures and releases the last model, and returns when that is done. One that can't be measured
   * is released all the same, and so is one that later rounds were released before.
   *
   * @throws RefusedModelException if a later attempt, or another job, has released a newer one
   */
  void releaseLast(GlobalModel model) throws IOException, InterruptedException {
    toRelease = new AtomicReference<>();
    await(
        () -> {
          Optional<HoldOutResult> measured = tryToMeasure(model);
          if (releasesOrNull != null) {
            releasesOrNull.releaseLast(model, measured);
          }
        });
  }

  private void measure(GlobalModel model) throws IOException {
    Measures measures = meterOrNull.measure(model);
    records.accept(MetricRecords.holdOut(model, measures, System.currentTimeMillis()));
  }

  private void releaseNewest() {
    AtomicReference<GlobalModel> waiting = toRelease;
    enqueueNewest(
        waiting,
        newest -> {
          try {
            release(newest, false);
          } catch (RefusedModelException e) {
            throw e;
          } catch (IOException e) {
            waiting.compareAndSet(null, newest);
            throw e;
          }
        });
  }

  private void release(GlobalModel model, boolean beforeDrift) throws IOException {
    Optional<HoldOutResult> measured =
        releasesOrNull.isGated() ? tryToMeasure(model) : Optional.empty();
    releasesOrNull.release(model, measured, beforeDrift);
    if (streamOrNull != null) {
      streamOrNull.published(model);
    }
  }

  private Optional<HoldOutResult> tryToMeasure(GlobalModel model) {
    if (meterOrNull == null) {
      return Optional.empty();
    }
    try {
      Measures measures = meterOrNull.measure(model);
      records.accept(MetricRecords.holdOut(model, measures, System.currentTimeMillis()));
      return Optional.of(meterOrNull.result(measures));
    } catch (IOException | RuntimeException e) {
      LOG.error("Model {} can't be measured, and is released without that", model.version(), e);
      return Optional.empty();
    }
  }

  private void enqueueNewest(AtomicReference<GlobalModel> waiting, ModelTask task) {
    enqueue(
        () -> {
          GlobalModel newest = waiting.getAndSet(null);
          if (newest != null) {
            task.run(newest);
          }
        });
  }

  private void enqueue(IoTask task) {
    worker.execute(
        () -> {
          if (abandoned) {
            return;
          }
          try {
            task.run();
          } catch (IOException | RuntimeException e) {
            LOG.error("A model could not be published; the next one is tried again", e);
          } catch (Error e) {
            // The thread ends with it, and another takes its place: no other log tells.
            LOG.error("A model could not be published", e);
            throw e;
          }
        });
  }

  private void await(IoTask task) throws IOException, InterruptedException {
    Future<?> done =
        worker.submit(
            () -> {
              task.run();
              return null;
            });
    try {
      while (!isDone(done)) {
        LOG.warn(
            "The last model isn't published yet, and the job waits for it: the place that it is"
                + " written to, or one before it, takes its time");
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RefusedModelException refused) {
        throw refused;
      }
      throw new IOException("The last model could not be published", e.getCause());
    }
  }

  /** Whether it is, within a while. */
  private static boolean isDone(Future<?> task) throws ExecutionException, InterruptedException {
    try {
      task.get(LAST_WORD_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /**
   * Ends the thread, and waits until it has ended: the next attempt of the job may begin to write
   * as soon as this one is closed.
   *
   * @param finishes whether it does what it still has to do, not only what it is at
   */
  void close(boolean finishes) throws InterruptedException {
    if (!finishes) {
      abandoned = true;
    }
    worker.execute(
        () -> {
          if (meterOrNull != null) {
            meterOrNull.close();
          }
          if (releasesOrNull != null) {
            releasesOrNull.end(finishes);
            releasesOrNull.close();
          }
        });
    worker.shutdown();
    if (!worker.awaitTermination(LAST_WORD_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn(
          "Publishing took longer than {} s after the end, and is left alone", LAST_WORD_SECONDS);
    }
    if (streamOrNull != null) {
      streamOrNull.end();
    }
  }

  private interface IoTask {
    void run() throws IOException;
  }

  private interface ModelTask {
    void run(GlobalModel model) throws IOException;
  }
}
