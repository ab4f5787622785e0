package dev.millrace.job.train.measure;

import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures models by segment on a thread of its own, so that training never waits for it. When
 * models come faster than it works, the newest wins. A model that can't be measured is logged.
 */
final class SegmentMeter {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentMeter.class);

  /** How long the end of a job waits for what is under way. */
  private static final long LAST_WORD_SECONDS = 60;

  private final ModelSpec spec;
  private final DeviceRequest device;
  private final RowPlace rowsOrNull;
  private final BiConsumer<GlobalModel, List<SegmentResult>> results;
  private final AtomicReference<Work> newest = new AtomicReference<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "millrace-segments");
            thread.setDaemon(true);
            return thread;
          });
  private ModelReplica replica;

  /** Null before the first model is measured, and where examples have no ids. */
  private ServedRows rows;

  /** Whether it was said that examples are left out. */
  private boolean saidUnusable;

  private record Work(GlobalModel model, SortedMap<Long, List<HeldOutExample>> examples) {}

  /**
   * @param device where models are measured
   * @param rowsOrNull of ids; null where examples have none
   * @param results receives what came of a model, on the meter's thread
   */
  SegmentMeter(
      ModelSpec spec,
      DeviceRequest device,
      RowPlace rowsOrNull,
      BiConsumer<GlobalModel, List<SegmentResult>> results) {
    this.spec = spec;
    this.device = device;
    this.rowsOrNull = rowsOrNull;
    this.results = results;
  }

  /** Measures a model soon, by examples that never change. */
  void measureSoon(GlobalModel model, SortedMap<Long, List<HeldOutExample>> examples) {
    newest.set(new Work(model, examples));
    worker.execute(
        () -> {
          Work work = newest.getAndSet(null);
          if (work != null) {
            tryToMeasure(work);
          }
        });
  }

  /** Waits until all that was asked for is done. */
  void await() throws InterruptedException {
    try {
      worker.submit(() -> {}).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tryToMeasure(Work work) {
    try {
      results.accept(work.model, measure(work));
    } catch (IOException | RuntimeException e) {
      LOG.error("Model {} can't be measured by segment", work.model.version(), e);
    }
  }

  private List<SegmentResult> measure(Work work) throws IOException {
    if (replica == null) {
      replica = ModelEngine.named(spec.engine()).build(spec, device);
    }
    if (rows == null && rowsOrNull != null) {
      rows = rowsOrNull.open();
    }
    List<SegmentResult> all = new ArrayList<>();
    for (var segment : work.examples.entrySet()) {
      Measures measures = measure(work.model, segment.getValue());
      if (measures.examples() > 0) {
        all.add(new SegmentResult(segment.getKey(), measures));
      }
    }
    return List.copyOf(all);
  }

  /** Measures a model by the examples that it can compute with. */
  private Measures measure(GlobalModel model, List<HeldOutExample> examples) throws IOException {
    HoldOut holdOut =
        HoldOut.read(new HeldOutSequence(spec.shape(), examples.iterator())).with(rows);
    Measures measures = holdOut.evaluate(model, replica);
    if (holdOut.unusable().isPresent() && !saidUnusable) {
      saidUnusable = true;
      LOG.warn(
          "Held-out examples that the model can't compute with don't count in accuracy by segment."
              + " The first of them: {}",
          holdOut.unusable().get());
    }
    return measures;
  }

  /** Ends the thread, and waits until it has ended. */
  void close() throws InterruptedException {
    newest.set(null);
    worker.execute(
        () -> {
          if (replica != null) {
            replica.close();
          }
          if (rows != null) {
            rows.close();
          }
        });
    worker.shutdown();
    if (!worker.awaitTermination(LAST_WORD_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("Measuring took longer than {} s after the end", LAST_WORD_SECONDS);
    }
  }
}
