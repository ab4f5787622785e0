package dev.millrace.job.score;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.ModelVersion;
import java.time.Instant;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * Metrics of one scorer.
 *
 * <p>Written by the task's thread, read by any.
 */
final class ScoringMetrics {

  /** Predictions that the distribution of latencies covers. */
  private static final int LATENCIES = 1000;

  private final Counter predictions;
  private final Counter batches;
  private final Counter rejected;
  private final Counter skipped;
  private final Counter swaps;
  private final Counter refused;
  private final Histogram latency;

  private volatile ModelVersion version;
  private volatile Instant created;

  ScoringMetrics(MetricGroup group) {
    predictions = group.counter("predictions");
    batches = group.counter("batches");
    // A job that trains, too, has a metric rejected that its alerts go by.
    rejected = group.counter("scoringRejected");
    skipped = group.counter("scoringSkipped");
    swaps = group.counter("modelSwaps");
    refused = group.counter("refusedModels");
    latency = group.histogram("latencyMillis", new DescriptiveStatisticsHistogram(LATENCIES));
    group.gauge(
        "servedGeneration", (Gauge<Long>) () -> version == null ? -1 : version.generation());
    group.gauge("servedRound", (Gauge<Long>) () -> version == null ? -1 : version.round());
    group.gauge(
        "modelAgeMillis",
        (Gauge<Double>)
            () ->
                created == null
                    ? Double.NaN
                    : (double) (System.currentTimeMillis() - created.toEpochMilli()));
  }

  /** A prediction whose latency nobody knows. */
  void predicted() {
    predictions.inc();
  }

  void predicted(Prediction prediction, long now) {
    predicted();
    if (prediction.hasLatency()) {
      latency.update(prediction.latency(now));
    }
  }

  void batch() {
    batches.inc();
  }

  void rejected() {
    rejected.inc();
  }

  void skipped() {
    skipped.inc();
  }

  /** A model has taken over from another, or is the first. */
  void serves(ServedModel model) {
    if (version != null) {
      swaps.inc();
    }
    version = model.version();
    created = model.created();
  }

  void refused() {
    refused.inc();
  }
}
