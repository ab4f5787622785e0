package dev.millrace.exchange.flink.replica;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.feedback.FeedbackOperator;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.ExampleSignals;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import dev.millrace.source.SourceGate;
import dev.millrace.source.TaskLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/**
 * One replica in Flink's harness, and the feedback operator that hands results to it. Its model
 * counts examples, see {@link SummingEngine}. Time passes, and its mails are read, when a test says
 * so.
 */
final class ReplicaHarness implements AutoCloseable {

  static final int BATCH = 3;
  static final Duration MAX_WAIT = Duration.ofMillis(100);
  static final Partition PARTITION = new Partition("t", 0);
  static final BlockLayout LAYOUT = SummingEngine.spec(4).layout(2, true);

  private static final int MOST_SUBTASKS = 8;

  final SourceGate gate;

  private final int index;

  /** Heads say so many local steps from now on. */
  int localSteps = 2;

  private final ManualNanos nanos = new ManualNanos();
  private int gatherer = HeadDelivery.NO_GATHERER;
  private final OneInputStreamOperatorTestHarness<Received, BlockMessage> flink;
  private final TwoInputStreamOperatorTestHarness<Delivery, HeadDelivery, Void> feedback;
  private String home;
  private boolean ended;

  private ReplicaHarness(
      ReplicaSettings settings, int index, int replicas, Optional<OperatorSubtaskState> restored)
      throws Exception {
    this.index = index;
    feedback =
        new TwoInputStreamOperatorTestHarness<>(
            new FeedbackOperator(LAYOUT, false, FaultInjector.NONE),
            MOST_SUBTASKS,
            replicas,
            index);
    feedback.open();
    flink =
        new OneInputStreamOperatorTestHarness<>(
            new ReplicaOperator(
                settings,
                context -> SummingEngine.initial(LAYOUT.length()),
                FaultInjector.NONE,
                nanos),
            MOST_SUBTASKS,
            replicas,
            index);
    flink.setProcessingTime(1_000);
    flink.setup(WireType.BLOCK_MESSAGE.createSerializer(new SerializerConfigImpl()));
    if (restored.isPresent()) {
      flink.initializeState(restored.get());
    }
    flink.open();
    gate = TaskLink.ofThisTask().gate();
  }

  static ReplicaSettings settings(Schedule schedule) {
    return settings(schedule, HookSettings.NONE);
  }

  private static ReplicaSettings settings(Schedule schedule, HookSettings hooks) {
    return new ReplicaSettings(
        SummingEngine.spec(LAYOUT.length()),
        LAYOUT,
        DeviceRequest.any(),
        new Batching(new BatchSize(BATCH, BATCH), MAX_WAIT, 0),
        new ReplicaRules(
            schedule,
            ContributionCodecs.EXACT,
            false,
            false,
            new ContributionGuard(Double.POSITIVE_INFINITY)),
        LearningRates.AS_CONFIGURED,
        ExampleSettings.PLAIN,
        hooks);
  }

  /** With both kinds of states that hooks may keep. */
  static ReplicaSettings keepingAll(Schedule schedule) {
    return settings(
        schedule,
        new HookSettings(
            List.of(CountingHook.Factory.SHARED, CountingHook.Factory.OWN),
            ExampleSignals.NOTHING,
            Duration.ZERO));
  }

  static ReplicaHarness start(Schedule schedule, int index, int replicas) throws Exception {
    return start(settings(schedule), index, replicas);
  }

  static ReplicaHarness start(ReplicaSettings settings, int index, int replicas) throws Exception {
    return new ReplicaHarness(settings, index, replicas, Optional.empty());
  }

  /** The only replica of a new job, which knows the model that this starts from. */
  static ReplicaHarness ready(Schedule schedule) throws Exception {
    ReplicaHarness replica = start(schedule, 0, 1);
    replica.greet();
    replica.know(0, 0);
    return replica;
  }

  static ReplicaHarness restore(
      Schedule schedule, int index, int replicas, OperatorSubtaskState saved) throws Exception {
    return restore(settings(schedule), index, replicas, saved);
  }

  static ReplicaHarness restore(
      ReplicaSettings settings, int index, int replicas, OperatorSubtaskState saved)
      throws Exception {
    return new ReplicaHarness(settings, index, replicas, Optional.of(saved));
  }

  /** Has it say its first words, and gives them out. */
  Hello greet() throws Exception {
    readMails();
    Hello hello = (Hello) toCoordinator().get(0);
    home = hello.home();
    return hello;
  }

  /** Tells it of a round: its head, and blocks of zeros, include so many of its contributions. */
  void know(long round, long included) throws Exception {
    tellHead(round, included, false);
    tellBlock(0, round);
    tellBlock(1, round);
  }

  void tellHead(long round, long included, boolean ended) throws Exception {
    sendHead(round, included, ended);
    readMails();
  }

  private void sendHead(long round, long included, boolean ended) throws Exception {
    RoundHead head =
        new RoundHead(round, JobProgress.NONE, 0, new FeatureStatistics(0), localSteps, ended);
    Standing standing = new Standing(included, included, included == 0 ? 0 : round);
    feedback.processElement2(
        new StreamRecord<>(new HeadDelivery(index, head, Map.of(home, standing), gatherer)));
  }

  /** Its contributions go to that gatherer once it is told of the next round. */
  void gatherAt(int number) {
    gatherer = number;
  }

  /** As {@link #send}, but the head comes last, when all blocks have been looked at. */
  void sendHeadLast(long round, long included) throws Exception {
    sendBlock(0, round);
    sendBlock(1, round);
    flink
        .getTaskMailbox()
        .put(
            new Mail(
                () -> sendHead(round, included, false), TaskMailbox.MAX_PRIORITY, "a late head"));
  }

  /** As {@link #know}, but it has yet to look. */
  void send(long round, long included) throws Exception {
    sendHead(round, included, false);
    sendBlock(0, round);
    sendBlock(1, round);
  }

  void tellBlock(int block, long round) throws Exception {
    sendBlock(block, round);
    readMails();
  }

  private void sendBlock(int block, long round) throws Exception {
    BlockUpdate update = new BlockUpdate(block, round, new float[LAYOUT.size(block)]);
    feedback.processElement1(new StreamRecord<>(new Delivery(index, List.of(home), update)));
  }

  /** Whether something that it was sent is still to be looked at. */
  boolean hasMail() {
    return flink.getTaskMailbox().hasMail();
  }

  private void readMails() throws Exception {
    TaskMailbox mailbox = flink.getTaskMailbox();
    for (Optional<Mail> mail = mailbox.tryTake(TaskMailbox.MIN_PRIORITY);
        mail.isPresent();
        mail = mailbox.tryTake(TaskMailbox.MIN_PRIORITY)) {
      mail.get().run();
    }
  }

  /** As many examples, at successive offsets. */
  void examples(long from, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      example(from + i, 1);
    }
  }

  void example(long offset, float feature) throws Exception {
    example(offset, feature, Example.NO_TIMESTAMP);
  }

  void example(long offset, float feature, long timestamp) throws Exception {
    Example example = new Example(SummingEngine.spec(LAYOUT.length()).shape());
    example.setTimestamp(timestamp);
    example.features()[0] = feature;
    example.setOrigin(PARTITION, offset);
    flink.processElement(new StreamRecord<>(example));
  }

  RejectedRecord reject(long offset) throws Exception {
    RejectedRecord record =
        new RejectedRecord(PARTITION, offset, 0, null, new byte[] {1}, "it is no example");
    flink.processElement(new StreamRecord<>(record));
    return record;
  }

  void advance(Duration time) throws Exception {
    nanos.advance(time);
    flink.setProcessingTime(flink.getProcessingTime() + time.toMillis());
  }

  /** Timers that have yet to fire, beside the one that watches waits until the input has ended. */
  int timers() {
    return flink.getProcessingTimeService().getNumActiveTimers() - (ended ? 0 : 1);
  }

  /** What it has told the exchange since it was last asked for. */
  List<BlockMessage> toExchange() {
    List<BlockMessage> messages = flink.extractOutputValues();
    flink.getOutput().clear();
    return messages;
  }

  /** Changes of the first block's first parameter, which are numbers of examples. */
  List<Float> counted() {
    List<Float> counts = new ArrayList<>();
    for (BlockMessage message : toExchange()) {
      if (message instanceof Contribution contribution && contribution.block() == 0) {
        counts.add(Changes.of(contribution, LAYOUT.size(0))[0]);
      }
    }
    return counts;
  }

  /** What it has told the coordinator since it was last asked for. */
  List<CoordinatorMessage> toCoordinator() {
    return taken(ReplicaOutputs.COORDINATOR);
  }

  <T> List<T> taken(OutputTag<T> output) {
    List<T> values = new ArrayList<>();
    Queue<StreamRecord<T>> records = flink.getSideOutput(output);
    if (records != null) {
      records.forEach(sent -> values.add(sent.getValue()));
      records.clear();
    }
    return values;
  }

  void beforeBarrier(long checkpoint) throws Exception {
    flink.prepareSnapshotPreBarrier(checkpoint);
  }

  OperatorSubtaskState snapshot(long checkpoint) throws Exception {
    return flink.snapshot(checkpoint, flink.getProcessingTime());
  }

  /** The savepoint that the job stops with, without drain. */
  void saveAndStop(long checkpoint) throws Exception {
    flink.snapshotWithLocalState(
        checkpoint, flink.getProcessingTime(), SavepointType.suspend(SavepointFormatType.NATIVE));
  }

  void abort(long checkpoint) throws Exception {
    flink.getOperator().notifyCheckpointAborted(checkpoint);
  }

  void endInput() throws Exception {
    flink.endInput();
    ended = true;
  }

  @Override
  public void close() {
    try {
      flink.close();
      feedback.close();
    } catch (Exception e) {
      throw new IllegalStateException("The replica can't be closed", e);
    }
  }
}
