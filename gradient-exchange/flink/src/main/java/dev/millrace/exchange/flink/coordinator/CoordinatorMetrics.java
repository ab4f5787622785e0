package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.Target;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the global model: version, ledger, measures, rounds, and the age of what a failure
 * would take it back to.
 *
 * <p>Written by the task's thread, read by any.
 */
final class CoordinatorMetrics {

  private final LongSupplier nanoTime;
  private final Counter rounds;
  private final Counter partialRounds;
  private final Counter timeouts;
  private final Counter refusals;

  /** Replaced as a whole, so that readers see what belongs together. */
  private volatile RoundReport newest;

  private volatile Participation participation = Participation.WHOLE;
  private volatile long checkpointedAt;
  private volatile int localSteps;
  private volatile double lag = Double.NaN;

  /**
   * @param start what there is when the coordinator starts
   * @param target that accuracy is meant for; for regression it is NaN
   * @param hook that steers training, with metrics of its own
   * @param nanoTime as {@link System#nanoTime}
   */
  CoordinatorMetrics(
      MetricGroup group,
      RoundReport start,
      Target target,
      CoordinatorHook hook,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    newest = start;
    checkpointedAt = nanoTime.getAsLong();
    rounds = group.counter("rounds");
    partialRounds = group.counter("partialRounds");
    timeouts = group.counter("timeouts");
    refusals = group.counter("refusals");
    group.gauge("generation", (Gauge<Long>) () -> version().generation());
    group.gauge("round", (Gauge<Long>) () -> version().round());
    group.gauge("stepsBetweenContributions", (Gauge<Integer>) () -> localSteps);
    group.gauge("members", (Gauge<Integer>) () -> newest.newest().members());
    group.gauge("participation", (Gauge<Double>) () -> participation.share());
    group.gauge("learnedRecords", (Gauge<Long>) () -> newest.learned());
    group.gauge("rejectedRecords", (Gauge<Long>) () -> newest.rejected());
    group.gauge("prequentialLoss", (Gauge<Double>) () -> newest.recent().meanLoss());
    group.gauge(
        "prequentialAccuracy",
        (Gauge<Double>)
            () -> target == Target.REGRESSION ? Double.NaN : newest.recent().accuracy());
    group.gauge("prequentialAuc", (Gauge<Double>) () -> newest.recent().auc());
    group.gauge(
        "prequentialNormalizedEntropy", (Gauge<Double>) () -> newest.recent().normalizedEntropy());
    group.gauge(
        "prequentialCalibrationRatio", (Gauge<Double>) () -> newest.recent().calibrationRatio());
    group.gauge("modelLagMillis", (Gauge<Double>) () -> lag);
    group.gauge("checkpointAgeMillis", (Gauge<Long>) this::checkpointAgeMillis);
    hook.gauges().forEach((name, value) -> group.gauge(name, (Gauge<Long>) value::getAsLong));
  }

  /**
   * A round has been closed, and this is where training has come to.
   *
   * @param timeline of the round
   */
  void closed(RoundReport report, Participation ofRound, RoundTimeline timeline) {
    long oldest = timeline.oldestRecord();
    // Rejected records alone make rounds, too: those say nothing of how old examples are.
    lag = oldest == Phases.NO_TIME ? lag : (double) (timeline.time() - oldest);
    rounds.inc();
    newest = report;
    participation = ofRound;
    if (ofRound.isPartial()) {
      partialRounds.inc();
    }
  }

  void timedOut(int replicas) {
    timeouts.inc(replicas);
  }

  /** A replica has left out what it learned. */
  void refused() {
    refusals.inc();
  }

  /** Local steps that replicas were last told to make between contributions. */
  void localSteps(int steps) {
    localSteps = steps;
  }

  void checkpointed() {
    checkpointedAt = nanoTime.getAsLong();
  }

  private ModelVersion version() {
    return newest.version();
  }

  private long checkpointAgeMillis() {
    return Duration.ofNanos(nanoTime.getAsLong() - checkpointedAt).toMillis();
  }
}
