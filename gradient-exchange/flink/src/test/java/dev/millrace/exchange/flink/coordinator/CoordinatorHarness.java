package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Phases;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/**
 * A coordinator in Flink's harness: it is told what replicas say, and what it says is taken out.
 * Time passes when a test says so.
 */
final class CoordinatorHarness implements AutoCloseable {

  static final Partition PARTITION = new Partition("t", 0);

  /** Weight of each contribution. */
  static final double WEIGHT = 5;

  /** Processing time at the start. */
  static final long START = 1_000_000;

  private final Map<String, Metric> metrics = new HashMap<>();
  private final ManualNanos nanos = new ManualNanos();
  private final MockEnvironment environment;
  private boolean ended;
  private final OneInputStreamOperatorTestHarness<CoordinatorMessage, Decision> flink;

  private CoordinatorHarness(CoordinatorSettings settings, OperatorSubtaskState restored, long time)
      throws Exception {
    environment =
        new MockEnvironmentBuilder().setMetricGroup(CollectedMetrics.into(metrics)).build();
    flink =
        new OneInputStreamOperatorTestHarness<>(
            new CoordinatorOperator(settings, FaultInjector.NONE, nanos), environment);
    flink.setProcessingTime(time);
    flink.setup(WireType.DECISION.createSerializer(new SerializerConfigImpl()));
    if (restored != null) {
      flink.initializeState(restored);
    }
    flink.open();
  }

  static CoordinatorHarness start(CoordinatorSetup setup) throws Exception {
    return new CoordinatorHarness(setup.settings(), null, START);
  }

  /** A coordinator that so many replicas have said hello to; what it said then is dropped. */
  static CoordinatorHarness greeted(CoordinatorSetup setup, int replicas) throws Exception {
    CoordinatorHarness coordinator = start(setup);
    coordinator.greet(replicas);
    return coordinator;
  }

  static CoordinatorHarness restore(CoordinatorSetup setup, OperatorSubtaskState saved)
      throws Exception {
    return restore(setup, saved, START);
  }

  static CoordinatorHarness restore(CoordinatorSetup setup, OperatorSubtaskState saved, long time)
      throws Exception {
    return new CoordinatorHarness(setup.settings(), saved, time);
  }

  void greet(int replicas) throws Exception {
    for (int replica = 0; replica < replicas; replica++) {
      hello(replica, replicas);
    }
    heads();
  }

  void hello(int replica, int replicas) throws Exception {
    hello(replica, replicas, home(replica));
  }

  void hello(int replica, int replicas, String home) throws Exception {
    tell(new Hello(replica, replicas, home));
  }

  static String home(int replica) {
    return "here/" + replica;
  }

  /** A contribution of one record, whose offset is made of both numbers. */
  void announce(int replica, long sequence) throws Exception {
    announce(replica, sequence, "");
  }

  /** A contribution of a replica that did this for it, see {@link #announce(int, long)}. */
  void announce(int replica, long sequence, String log) throws Exception {
    Ledger ledger = new Ledger();
    ledger.learned(PARTITION, replica * 100L + sequence);
    tell(
        new Announcement(
            replica,
            sequence,
            new ContributionMetadata(
                    WEIGHT, sequence, ledger, new FeatureStatistics(0), Measures.NONE)
                .retold(log),
            Phases.NONE));
  }

  void refuse(int replica, long offset) throws Exception {
    Ledger ledger = new Ledger();
    ledger.learned(PARTITION, offset);
    tell(new Refusal(replica, ledger, "values that exploded"));
  }

  void idle(int replica) throws Exception {
    tell(new Idle(replica));
  }

  void farewell(int replica, long offset) throws Exception {
    tell(new Farewell(replica, rejected(offset)));
  }

  private static Ledger rejected(long offset) {
    Ledger ledger = new Ledger();
    ledger.rejected(PARTITION, offset);
    return ledger;
  }

  private void tell(CoordinatorMessage message) throws Exception {
    flink.processElement(new StreamRecord<>(message));
  }

  void advance(Duration time) throws Exception {
    nanos.advance(time);
    flink.setProcessingTime(flink.getProcessingTime() + time.toMillis());
  }

  /** Timers that have yet to fire, beside the one that watches waits until the input has ended. */
  int timers() {
    return flink.getProcessingTimeService().getNumActiveTimers() - (ended ? 0 : 1);
  }

  /** Decisions since they were last asked for. */
  List<Decision> decisions() {
    List<Decision> decisions = flink.extractOutputValues();
    flink.getOutput().clear();
    return decisions;
  }

  /** Replicas in the rounds made since they were last asked for, as the first block was told. */
  List<List<Integer>> rounds() {
    return decisions().stream()
        .filter(decision -> decision.block() == 0)
        .map(decision -> decision.members().stream().boxed().toList())
        .toList();
  }

  List<HeadDelivery> heads() {
    return taken(ExchangeOutputs.HEADS);
  }

  List<PublishedPart.Head> published() {
    return taken(ExchangeOutputs.PUBLISHED).stream().map(PublishedPart.Head.class::cast).toList();
  }

  /** What went to a side output since it was last asked for. */
  <T> List<T> taken(OutputTag<T> output) {
    List<T> values = new ArrayList<>();
    Queue<StreamRecord<T>> records = flink.getSideOutput(output);
    if (records != null) {
      records.forEach(sent -> values.add(sent.getValue()));
      records.clear();
    }
    return values;
  }

  long count(String counter) {
    return ((Counter) metrics.get(counter)).getCount();
  }

  Object gauge(String name) {
    return ((Gauge<?>) metrics.get(name)).getValue();
  }

  void beforeBarrier(long checkpoint) throws Exception {
    flink.prepareSnapshotPreBarrier(checkpoint);
  }

  OperatorSubtaskState snapshot(long checkpoint) throws Exception {
    return flink.snapshot(checkpoint, flink.getProcessingTime());
  }

  void complete(long checkpoint) throws Exception {
    flink.notifyOfCompletedCheckpoint(checkpoint);
  }

  void abort(long checkpoint) throws Exception {
    flink.getOperator().notifyCheckpointAborted(checkpoint);
  }

  void endInput() throws Exception {
    flink.endInput();
    ended = true;
  }

  void finish() throws Exception {
    flink.getOperator().finish();
  }

  @Override
  public void close() {
    try {
      flink.close();
      environment.close();
    } catch (Exception e) {
      throw new IllegalStateException("The coordinator can't be closed", e);
    }
  }
}
