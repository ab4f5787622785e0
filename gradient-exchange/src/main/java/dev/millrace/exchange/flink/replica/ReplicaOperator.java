package dev.millrace.exchange.flink.replica;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NanoClock;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.feedback.ReplicaLink;
import dev.millrace.exchange.flink.feedback.ReplicaLinks;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.UnusableEngineException;
import dev.millrace.source.SourceGate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A {@link Replica} as a Flink operator, chained behind its gated source: it turns examples into
 * minibatches, has the replica learn them, and carries what it contributes and takes in.
 *
 * <p>It never blocks. While the replica may not train, the gate keeps the source back; results
 * arrive as mails.
 */
public final class ReplicaOperator extends AbstractStreamOperator<BlockMessage>
    implements OneInputStreamOperator<Received, BlockMessage>, BoundedOneInput {

  /** Name of the state that each replica is kept in, see {@link Replica#save}. */
  public static final String REPLICA_STATE = "replica";

  /** Name of the state that waiting examples are kept in, see {@link MinibatchWindow#save}. */
  public static final String EXAMPLES_STATE = "examples";

  private final ReplicaSettings settings;
  private final FaultInjector faults;
  private final NanoClock nanos;

  private transient ByteStringState replicaState;
  private transient ByteStringState examplesState;
  private transient int index;
  private transient ModelReplica model;
  private transient Replica replica;
  private transient MinibatchWindow window;
  private transient SourceGate gate;
  private transient ReplicaLink link;
  private transient ReplicaMetrics learning;
  private transient ReplicaSender sender;

  private transient ScheduledFuture<?> waitTimer;
  private transient long stepsAtLastWait;
  private transient boolean saidIdle;

  /** Whether there is no checkpoint to continue from. */
  private transient boolean isNew;

  public ReplicaOperator(ReplicaSettings settings, FaultInjector faults) {
    this(settings, faults, NanoClock.SYSTEM);
  }

  ReplicaOperator(ReplicaSettings settings, FaultInjector faults, NanoClock nanos) {
    this.settings = settings;
    this.faults = faults;
    this.nanos = nanos;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    replicaState = ByteStringState.open(context, REPLICA_STATE);
    examplesState = ByteStringState.open(context, EXAMPLES_STATE);
    isNew = !context.isRestored();
    try {
      restore();
    } catch (InvalidModelException | UnusableEngineException e) {
      throw new NonRecoverableException(e);
    }
    gate = SourceGate.install();
  }

  private void restore() throws Exception {
    List<String> devices =
        AllottedDevices.names(
            getRuntimeContext().getExternalResourceInfos(AllottedDevices.RESOURCE));
    int replicas = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    model = settings.model(devices, replicas);
    replica = settings.replica(index, model, nanos);
    replica.restore(replicaState.get());
    window = settings.window(replicas);
    window.restore(examplesState.get(), nanos.getAsLong());
  }

  @Override
  public void open() throws Exception {
    super.open();
    learning = new ReplicaMetrics(MillraceMetrics.of(getMetricGroup()));
    link = ReplicaLinks.open();
    sender = new ReplicaSender(output, link, learning, faults, index);
    MailboxExecutor mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    mailbox.execute(this::greet, "greet coordinator and exchange");
    link.feedback().listen(() -> enqueue(mailbox));
    waitForExamples();
  }

  private void enqueue(MailboxExecutor mailbox) {
    try {
      mailbox.execute(this::takeFeedback, "take feedback");
    } catch (RejectedExecutionException e) {
      LOG.debug("Replica {} has ended; a result for it is dropped", index);
    }
  }

  private void greet() {
    int replicas = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    sender.send(new Hello(index, replicas, link.home()));
    boolean offerInitial = index == 0 && isNew;
    for (int block = 0; block < settings.layout().count(); block++) {
      sender.send(replica.pull(block, offerInitial, link.home()));
    }
  }

  private void takeFeedback() {
    link.feedback()
        .drain(
            replica::accept,
            update -> {
              faults.reach(Place.FEEDBACK_IN, index);
              replica.accept(update);
            });
    learning.accepted(replica);
    trainWhileFull();
  }

  @Override
  public void processElement(StreamRecord<Received> element) {
    Received received = element.getValue();
    if (received instanceof RejectedRecord rejected) {
      replica.reject(rejected.partition(), rejected.offset());
      sender.send(rejected);
    } else if (received instanceof Example example) {
      window.add(example, nanos.getAsLong());
      trainWhileFull();
    }
  }

  private void trainWhileFull() {
    while (window.hasFull() && replica.mayTrain()) {
      train();
    }
    setGate();
  }

  private void setGate() {
    boolean mayTrain = replica.mayTrain();
    if (replica.hasEnded()) {
      gate.end();
    }
    gate.setOpen(mayTrain);
    learning.waits(!mayTrain);
  }

  private void train() {
    faults.reach(Place.LOCAL_STEP, index);
    Minibatch minibatch = window.take(nanos.getAsLong());
    Measures measures = replica.learn(minibatch, this::reject);
    if (!minibatch.isEmpty()) {
      learning.learned(minibatch.size(), measures);
    }
    window.recycle(minibatch);
    saidIdle = false;
    if (replica.hasLearned() && replica.isDue()) {
      contribute();
    }
  }

  private void reject(Partition partition, long offset, String reason) {
    sender.send(RejectedRecord.withoutBytes(partition, offset, reason));
  }

  private void contribute() {
    tellOutcome(replica.contribute(sender::send));
  }

  private void contributeAll() {
    Optional<CoordinatorMessage> outcome = replica.contributeLast(sender::send);
    while (outcome.isPresent()) {
      tellOutcome(outcome.get());
      outcome = replica.contributeLast(sender::send);
    }
  }

  private void tellOutcome(CoordinatorMessage message) {
    sender.send(message);
    if (message instanceof Refusal refusal) {
      sender.tellRefused(refusal);
    }
    learning.contributed(replica, message);
  }

  private void waitForExamples() {
    long now = getProcessingTimeService().getCurrentProcessingTime();
    waitTimer =
        getProcessingTimeService()
            .registerTimer(now + settings.maxWait().toMillis(), time -> endWait());
  }

  /** A partial minibatch has waited long enough, or nothing came at all. */
  private void endWait() {
    if (replica.mayTrain()) {
      if (window.isOverdue(nanos.getAsLong())) {
        train();
        setGate();
      } else if (window.isEmpty() && learning.steps() == stepsAtLastWait) {
        pause();
      }
    }
    stepsAtLastWait = learning.steps();
    waitForExamples();
  }

  /** Nothing to learn for now: what was learned shouldn't wait, and nobody should wait for us. */
  private void pause() {
    if (replica.hasLearned() && replica.isReleased()) {
      contribute();
      setGate();
      // To the coordinator whoever contributes is active again.
      saidIdle = false;
    }
    if (!saidIdle) {
      saidIdle = true;
      sender.send(new Idle(index));
    }
  }

  @Override
  public void endInput() {
    while (!window.isEmpty()) {
      train();
    }
    contributeAll();
    sender.send(replica.farewell());
    waitTimer.cancel(false);
    link.feedback().end();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    replica.refuseUnsound().ifPresent(this::tellOutcome);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    replicaState.defer(replica.save()::write);
    examplesState.set(window.save());
  }

  @Override
  public void close() throws Exception {
    if (link != null) {
      link.feedback().end();
      ReplicaLinks.close(link);
      link = null;
    }
    if (model != null) {
      model.close();
      model = null;
    }
    SourceGate.uninstall();
    super.close();
  }
}
