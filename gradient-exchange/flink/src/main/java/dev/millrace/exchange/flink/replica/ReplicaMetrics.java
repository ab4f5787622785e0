package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.Phases;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceUse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * Metrics of one replica, in the words of the architecture page.
 *
 * <p>Written by the task's thread, read by any: a replica belongs to its thread, so what gauges
 * show is copied from it.
 */
final class ReplicaMetrics {

  /** Rounds that the distribution of latencies covers. */
  private static final int LATENCIES = 500;

  private final ModelReplica model;
  private final Counter examples;
  private final Counter rejected;
  private final Counter skipped;
  private final Counter localSteps;
  private final Counter contributions;
  private final Counter contributionBytes;
  private final Counter refusals;
  private final Histogram roundLatency;
  private final Histogram stepLag;
  private final LongSupplier now;
  private final WaitingTime waiting = new WaitingTime(System::nanoTime);

  private volatile double loss = Double.NaN;
  private volatile double divergence = Double.NaN;
  private volatile double staleness = Double.NaN;
  private volatile long knownRound;
  private volatile Phases spent = Phases.NONE;
  private volatile DeviceUse device = DeviceUse.UNKNOWN;
  private volatile double[] memberWeights;
  private volatile double[] memberRates;

  private boolean underWay;

  /** Registers the metrics of a replica with this model. */
  ReplicaMetrics(MetricGroup group, ModelReplica model) {
    this(group, model, System::currentTimeMillis);
  }

  /** {@code now} in milliseconds since the epoch. */
  ReplicaMetrics(MetricGroup group, ModelReplica model, LongSupplier now) {
    this.model = model;
    this.now = now;
    examples = group.counter("examples");
    rejected = group.counter("rejected");
    skipped = group.counter("skipped");
    localSteps = group.counter("localSteps");
    contributions = group.counter("contributions");
    contributionBytes = group.counter("contributionBytes");
    refusals = group.counter("refusals");
    roundLatency =
        group.histogram("roundLatencyMicros", new DescriptiveStatisticsHistogram(LATENCIES));
    stepLag = group.histogram("stepLagMillis", new DescriptiveStatisticsHistogram(LATENCIES));
    group.gauge("loss", (Gauge<Double>) () -> loss);
    group.gauge("divergence", (Gauge<Double>) () -> divergence);
    group.gauge("staleness", (Gauge<Double>) () -> staleness);
    group.gauge("knownRound", (Gauge<Long>) () -> knownRound);
    group.gauge("fitMillis", (Gauge<Long>) () -> TimeUnit.NANOSECONDS.toMillis(spent.fit()));
    group.gauge("encodeMillis", (Gauge<Long>) () -> TimeUnit.NANOSECONDS.toMillis(spent.encode()));
    group.gauge("applyMillis", (Gauge<Long>) () -> TimeUnit.NANOSECONDS.toMillis(spent.apply()));
    group.gauge("deviceMillis", millis(() -> device.computeNanos()));
    group.gauge("deviceCopyMillis", millis(() -> device.copyNanos()));
    group.gauge("deviceMemoryBytes", (Gauge<Long>) () -> device.memoryBytes());
    group.gauge("waitingMillis", (Gauge<Long>) waiting::millis);
    memberWeights = model.memberWeights();
    memberRates = model.memberLearningRates();
    for (int i = 0; i < memberWeights.length; i++) {
      int member = i;
      MetricGroup own = group.addGroup("member", Integer.toString(member));
      own.gauge("weight", (Gauge<Double>) () -> memberWeights[member]);
      own.gauge("learningRate", (Gauge<Double>) () -> memberRates[member]);
    }
  }

  /** Registers what hooks count. */
  static void register(MetricGroup group, List<ReplicaHook> hooks) {
    for (ReplicaHook hook : hooks) {
      hook.gauges().forEach((name, value) -> group.gauge(name, (Gauge<Long>) value::getAsLong));
    }
  }

  private static Gauge<Long> millis(LongSupplier nanos) {
    return () -> TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
  }

  void learned(Minibatch minibatch, Measures measures) {
    examples.inc(minibatch.fresh());
    if (minibatch.oldestTime() != Minibatch.NO_TIME) {
      stepLag.update(now.getAsLong() - minibatch.oldestTime());
    }
    localSteps.inc();
    loss = measures.meanLoss();
  }

  void rejected() {
    rejected.inc();
  }

  void skipped() {
    skipped.inc();
  }

  /** One block of it. */
  void sent(int bytes) {
    contributionBytes.inc(bytes);
  }

  /** All of it, or none: {@code message} says which. */
  void contributed(Replica replica, CoordinatorMessage message) {
    divergence = replica.divergence();
    device = model.deviceUse();
    memberWeights = model.memberWeights();
    memberRates = model.memberLearningRates();
    if (message instanceof Announcement announcement) {
      contributions.inc();
      underWay = true;
      spent = spent.plus(announcement.phases());
    } else if (message instanceof Refusal) {
      refusals.inc();
    }
  }

  /** Something of the global model has come. */
  void accepted(Replica replica) {
    knownRound = replica.round();
    if (underWay && replica.isReleased()) {
      underWay = false;
      roundLatency.update(TimeUnit.NANOSECONDS.toMicros(replica.roundLatency()));
      staleness = replica.staleness() < 0 ? Double.NaN : replica.staleness();
    }
  }

  /** Whether the replica may not train for now. */
  void waits(boolean waits) {
    waiting.set(waits);
  }

  long steps() {
    return localSteps.getCount();
  }
}
