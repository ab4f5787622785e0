package dev.millrace.serve;

import dev.millrace.model.ModelSpec;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.UnusableRows;
import dev.millrace.model.device.DeviceRequest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes requests and predicts for them with a replica of its own, or with a runtime
 * that all share. It looks which model is the newest when its batch is complete: all of a batch is
 * of one version, and no request that came in after an answer of a version is answered by an older
 * one.
 *
 * <p>What a batch fails with its requests are told; the thread goes on. What fails beside that ends
 * the thread, and is told.
 */
final class Predictor {

  private static final Logger LOG = LoggerFactory.getLogger(Predictor.class);

  private final RequestQueue queue;
  private final Supplier<PredictingModel> newest;
  private final DeviceRequest device;
  private final int maxBatch;
  private final ServerMetrics metrics;
  private final Consumer<Throwable> failed;
  private final Queue<Runnable> otherWork = new ConcurrentLinkedQueue<>();
  private final Thread thread;

  // Of the thread alone; null before the first model.
  private LoadedModel loaded;
  private LoadedModel prepared;

  /**
   * @param newest the model to predict with, which is there before there are requests
   * @param failed hears if the thread can't go on
   */
  Predictor(
      int number,
      RequestQueue queue,
      Supplier<PredictingModel> newest,
      DeviceRequest device,
      int maxBatch,
      ServerMetrics metrics,
      Consumer<Throwable> failed) {
    this.queue = queue;
    this.newest = newest;
    this.device = device;
    this.maxBatch = maxBatch;
    this.metrics = metrics;
    this.failed = failed;
    this.thread = new Thread(this::run, "millrace-predictor-" + number);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Waits for the end of the thread, which comes when the queue is closed and empty. */
  void join() throws InterruptedException {
    thread.join();
  }

  /** Lets go of the replica that predicted before the newest model, where it has none. */
  void takeOver() {
    execute(() -> load(newest.get()));
  }

  /**
   * Builds a replica of another network beside the one that predicts.
   *
   * @return completes exceptionally if that fails; then nothing has changed
   */
  CompletableFuture<Void> prepare(ModelSpec spec) {
    return CompletableFuture.runAsync(
        () -> {
          // It may not have predicted since the last network was prepared.
          PredictingModel now = newest.get();
          if (now != null) {
            load(now);
          }
          discard();
          prepared = LoadedModel.ofEngine(spec, device, maxBatch);
        },
        this::execute);
  }

  /** Gives up what was prepared, where another predictor has failed to. */
  CompletableFuture<Void> giveUp() {
    return CompletableFuture.runAsync(this::discard, this::execute);
  }

  private void execute(Runnable work) {
    otherWork.add(work);
    queue.wake();
  }

  private void discard() {
    if (prepared != null) {
      prepared.close();
      prepared = null;
    }
  }

  private void run() {
    try {
      while (!queue.isClosed()) {
        List<Pending> taken = queue.take(() -> !otherWork.isEmpty());
        for (Runnable work = otherWork.poll(); work != null; work = otherWork.poll()) {
          work.run();
        }
        List<Pending> batch = taken.stream().filter(request -> !request.isDone()).toList();
        if (!batch.isEmpty()) {
          answer(batch);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // Nobody else takes its requests: a server that goes on would only look ready.
      failed.accept(e);
    } finally {
      discard();
      if (loaded != null) {
        loaded.close();
      }
    }
  }

  private void answer(List<Pending> batch) {
    try {
      PredictingModel model = begin();
      List<float[]> outputs;
      try {
        load(model);
        outputs = loaded.predict(batch.stream().map(Pending::request).toList());
      } finally {
        model.end();
      }
      metrics.batch(batch.stream().mapToInt(Pending::rows).sum());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(new Answer(model.model(), outputs.get(i)));
      }
    } catch (UnusableExamplesException e) {
      answerApart(batch, e);
    } catch (RuntimeException | Error e) {
      LOG.error("{} requests can't be answered", batch.size(), e);
      batch.forEach(request -> request.answer().completeExceptionally(e));
    }
  }

  /** One request is at fault: the others are answered. */
  private void answerApart(List<Pending> batch, UnusableExamplesException failure) {
    if (batch.size() == 1) {
      batch
          .get(0)
          .answer()
          .completeExceptionally(
              RefusedRequestException.bad(
                  "A row of the request can't be predicted: " + UnusableRows.say(failure)));
    } else {
      batch.forEach(request -> answer(List.of(request)));
    }
  }

  /** Returns the newest model, which is there to the end of the batch. */
  private PredictingModel begin() {
    PredictingModel model = newest.get();
    while (!model.begin()) {
      // It has just been retired for another one.
      model = newest.get();
    }
    return model;
  }

  private void load(PredictingModel model) {
    if (loaded == null || !loaded.takes(model)) {
      LoadedModel before = loaded;
      if (model.runtimeOrNull() == null) {
        loaded = prepared;
        prepared = null;
      } else {
        loaded = LoadedModel.ofRuntime(model.model().spec().shape(), maxBatch);
        discard();
      }
      if (before != null) {
        before.close();
      }
    }
    loaded.load(model);
  }
}
