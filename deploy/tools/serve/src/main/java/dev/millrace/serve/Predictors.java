package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Batching;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Predicts for requests with the model that was given last, on a few threads.
 *
 * <p>{@link #serve} and {@link #close} are for one thread each; all else is for any.
 */
final class Predictors {

  private final RequestQueue queue;
  private final List<Predictor> predictors;
  private volatile PredictingModel newest;
  private boolean closed;

  /**
   * @param failed hears if a thread of them can't go on
   */
  Predictors(
      Batching batching, DeviceRequest device, ServerMetrics metrics, Consumer<Throwable> failed) {
    this.queue = new RequestQueue(batching.maxBatch(), batching.maxWait(), batching.maxQueue());
    this.predictors =
        IntStream.range(0, batching.predictors())
            .mapToObj(
                number ->
                    new Predictor(
                        number, queue, () -> newest, device, batching.maxBatch(), metrics, failed))
            .toList();
    predictors.forEach(Predictor::start);
  }

  /** The model that predicts for requests that come now, if there is one. */
  Optional<ServedModel> newest() {
    return Optional.ofNullable(newest).map(PredictingModel::model);
  }

  /** Whether a runtime predicts with that model, in the place of its engine. */
  boolean byRuntime() {
    PredictingModel now = newest;
    return now != null && now.runtimeOrNull() != null;
  }

  /** Rows of requests that wait. */
  int waitingRows() {
    return queue.rows();
  }

  /**
   * Predicts with this model from now on, and retires the one before. Where it takes another
   * replica than that, each predictor builds one first, while the model before predicts.
   *
   * @throws RuntimeException if one can't build it; the model before goes on then
   */
  void serve(PredictingModel model) {
    PredictingModel before = newest;
    boolean sharesReplica = before != null && model.sharesReplica(before);
    if (model.runtimeOrNull() == null && !sharesReplica) {
      prepare(model.model().spec());
    }
    swap(model);
    if (before != null && model.runtimeOrNull() != null && before.runtimeOrNull() == null) {
      predictors.forEach(Predictor::takeOver);
    }
  }

  private synchronized void swap(PredictingModel model) {
    PredictingModel before = newest;
    newest = model;
    if (closed) {
      model.retire();
    } else if (before != null) {
      before.retire();
    }
  }

  private void prepare(ModelSpec spec) {
    try {
      awaitAll(predictors.stream().map(predictor -> predictor.prepare(spec)));
    } catch (CompletionException e) {
      awaitAll(predictors.stream().map(Predictor::giveUp));
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static void awaitAll(Stream<CompletableFuture<Void>> all) {
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
  }

  /** Has a request predicted; false where too many wait. */
  boolean offer(Pending request) {
    return queue.offer(request);
  }

  /** Has no request wait for others from now on, and predicts for those that do. */
  void hurry() {
    queue.hurry();
  }

  /** Predicts for all that wait, takes no more, and ends. */
  void close() throws InterruptedException {
    queue.close();
    for (Predictor predictor : predictors) {
      predictor.join();
    }
    retireLast();
  }

  private synchronized void retireLast() {
    closed = true;
    if (newest != null) {
      newest.retire();
    }
  }
}
