package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.TimeUtils;

/**
 * Predicts for batches of examples with the newest published model. The first model says what
 * examples are like; a later one that takes others is refused.
 *
 * <p>A new model takes over between two batches, so each prediction is of exactly one version.
 * Versions go the way of the pointer that is followed: they go back only where somebody rolls it
 * back.
 *
 * <p>Belongs to one thread, which makes it, too. Models are read on a thread of their own.
 */
public final class LiveScorer implements AutoCloseable {

  private final Found found = new Found();
  private final ScoringMetrics metrics;
  private final ModelWatch watch;

  // Of the first model.
  private ExampleShape shape;
  private List<String> classes;
  private ServingBatch batch;

  /** What the watch has found, from its thread to the other's. */
  private final class Found implements ModelWatch.Listener {

    final CompletableFuture<ServedModel> first = new CompletableFuture<>();
    final AtomicReference<ServedModel> newest = new AtomicReference<>();
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final AtomicReference<String> refused = new AtomicReference<>();

    @Override
    public void publish(ServedModel model) {
      if (!first.complete(model)) {
        newest.set(model);
      }
    }

    @Override
    public void refuse(String why) {
      refused.set(why);
      // Nobody else counts these.
      metrics.refused();
    }

    String butRefused() {
      String why = refused.get();
      return why == null ? "" : ", but one that is no good: " + why;
    }

    @Override
    public void fail(Throwable cause) {
      failure.set(cause);
      first.completeExceptionally(cause);
    }
  }

  private LiveScorer(ModelPlace place, Duration poll, MetricGroup group) {
    metrics = new ScoringMetrics(MillraceMetrics.of(group));
    watch = ModelWatch.start(place, new AgreeingModels(place), poll, found);
  }

  /**
   * Waits for the first model, and is ready to predict with it.
   *
   * @param place that models are published in
   * @param poll time between two looks for a new one
   * @param patience how long the first may take
   * @param device that predictions are computed on
   * @param batchSize examples that are predicted for at once, at most
   * @param group of the operator, for the metrics of scoring
   * @throws NonRecoverableException if no model can ever be served in this process
   * @throws IllegalStateException if there is none in time
   * @throws InterruptedException if this thread is asked to end meanwhile
   */
  public static LiveScorer open(
      ModelPlace place,
      Duration poll,
      Duration patience,
      DeviceRequest device,
      int batchSize,
      MetricGroup group)
      throws InterruptedException {
    LiveScorer scorer = new LiveScorer(place, poll, group);
    boolean opened = false;
    try {
      scorer.begin(place, patience, device, batchSize);
      opened = true;
      return scorer;
    } finally {
      if (!opened) {
        scorer.close();
      }
    }
  }

  private void begin(ModelPlace place, Duration patience, DeviceRequest device, int batchSize)
      throws InterruptedException {
    try {
      ServedModel first = found.first.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      shape = first.spec().shape();
      classes = first.classes();
      batch = new ServingBatch(shape, device, batchSize);
      if (!serve(first)) {
        throw new IllegalStateException(
            "Model %s of %s can't be served, as the log says; publish another"
                .formatted(first.version(), place));
      }
    } catch (ExecutionException e) {
      throw MailboxModelListener.failure(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "No model has come in %s within %s%s; publish one there, or wait for longer"
              .formatted(place, TimeUtils.formatWithHighestUnit(patience), found.butRefused()),
          e);
    }
  }

  /** Returns the shape of examples. */
  public ExampleShape shape() {
    return shape;
  }

  /** Names of the classes in the order of their numbers; none for the numbers. */
  public List<String> classes() {
    return classes;
  }

  /** The version that the last predictions are of. */
  public ModelVersion version() {
    return batch.version();
  }

  /** Copies an example of {@link #shape}, no sequence, into the batch, which has room. */
  public void add(Example example) {
    batch.add(example);
  }

  /**
   * Predicts for the batch with the newest model, and empties it.
   *
   * @return for each example that the model can't compute with, counted from 0, why it can't
   */
  public Map<Integer, String> predict() {
    takeNewest();
    if (batch.isEmpty()) {
      return Map.of();
    }
    metrics.batch();
    int rows = batch.rows();
    Map<Integer, String> unusable = batch.predict();
    for (int row = unusable.size(); row < rows; row++) {
      metrics.predicted();
    }
    return unusable;
  }

  /**
   * Returns what was last predicted for an example of the batch.
   *
   * @param row of the example, counted from 0
   */
  public float[] outputs(int row) {
    return batch.outputs(row);
  }

  /** Counts a record that nothing is predicted for. */
  public void reject() {
    metrics.rejected();
  }

  private void takeNewest() {
    if (found.failure.get() != null) {
      throw MailboxModelListener.failure(found.failure.get());
    }
    // A plain read first: most of the time nothing is there.
    if (found.newest.get() != null) {
      serve(found.newest.getAndSet(null));
    }
  }

  private boolean serve(ServedModel model) {
    return ModelTakeover.attempt(model, batch.version() != null, () -> batch.serve(model), metrics);
  }

  @Override
  public void close() {
    watch.close();
    if (batch != null) {
      batch.close();
    }
  }
}
