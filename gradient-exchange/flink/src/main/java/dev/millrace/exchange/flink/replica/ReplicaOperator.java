package dev.millrace.exchange.flink.replica;

import dev.millrace.example.Example;
import dev.millrace.example.LabelLags;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.confusion.RecentConfusion;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NanoClock;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.WaitWatch;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.process.ReplicaWatch;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.source.StoppingOperator;
import dev.millrace.source.TaskLink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * A {@link Replica} as a Flink operator, chained behind its gated source: it turns examples into
 * minibatches, has the replica learn them, and carries what it contributes and takes in.
 *
 * <p>It never blocks. While the replica may not train, the gate keeps the source back; results
 * arrive as mails.
 */
public final class ReplicaOperator extends StoppingOperator<BlockMessage>
    implements OneInputStreamOperator<Received, BlockMessage>, BoundedOneInput {

  /** Name of the state that each replica is kept in, see {@link Replica#save}. */
  public static final String REPLICA_STATE = "replica";

  /** Name of the state that waiting examples are kept in, see {@link MinibatchWindow#save}. */
  public static final String EXAMPLES_STATE = "examples";

  /** Begins the names of the states that hooks are kept in, see {@link HookState#name}. */
  public static final String HOOK_STATE = "hook-";

  private final ReplicaSettings settings;
  private final InitialModelSource initial;
  private final FaultInjector faults;
  private final NanoClock nanos;

  private transient ReplicaStates states;
  private transient int index;
  private transient ModelReplica model;
  private transient Replica replica;
  private transient List<ReplicaHook> hooks;
  private transient MinibatchWindow window;
  private transient NextMinibatch next;
  private transient LabelLags lags;
  private transient TaskLink sourceLink;
  private transient ReplicaLink link;
  private transient HookSender hookSender;
  private transient ReplicaMetrics learning;
  private transient ReplicaSender sender;
  private transient Contributions contributions;
  private transient MailboxExecutor mailbox;

  private transient ScheduledFuture<?> waitTimer;
  private transient WaitWatch waitWatch;
  private transient long stepsAtLastWait;
  private transient boolean saidIdle;
  private transient boolean saidFarewell;

  /**
   * The optimizer's state of the model that this replica offers to start from; null where it offers
   * none.
   */
  private transient ServerOptimizerState offered;

  /** {@code initial} is the model that a job without a checkpoint starts from. */
  public ReplicaOperator(
      ReplicaSettings settings, InitialModelSource initial, FaultInjector faults) {
    this(settings, initial, faults, NanoClock.SYSTEM);
  }

  /** {@code nanos} is the time that durations are measured with. */
  public ReplicaOperator(
      ReplicaSettings settings, InitialModelSource initial, FaultInjector faults, NanoClock nanos) {
    this.settings = settings;
    this.initial = initial;
    this.faults = faults;
    this.nanos = nanos;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    try {
      build();
      states = new ReplicaStates(context, hooks);
      if (context.isRestored()) {
        states.restore(index, replica, window, nanos.getAsLong());
      } else {
        begin();
      }
    } catch (InvalidModelException | UnusableEngineException e) {
      throw new NonRecoverableException(e);
    }
    sourceLink = TaskLink.install(lags);
  }

  private void build() {
    List<String> devices =
        AllottedDevices.names(
            getRuntimeContext().getExternalResourceInfos(AllottedDevices.RESOURCE));
    model = settings.model(devices);
    hookSender = new HookSender();
    hooks = hooks();
    replica =
        settings.replica(
            index,
            replicas(),
            model,
            new ReplicaHooks(hooks, settings.hooks().useInputGradients()),
            nanos);
    window = settings.window(replicas());
    next = new NextMinibatch(window, replica, settings.hooks().prefetch());
    lags = settings.labelLags();
  }

  private List<ReplicaHook> hooks() {
    List<ReplicaHook> all = new ArrayList<>(settings.hooks(index, replicas(), model, hookSender));
    Duration interval = settings.hooks().detailsInterval();
    if (interval.isZero()) {
      return all;
    }
    // What they tell is sent once the operator is open, and steps are made only then.
    all.add(new ReplicaWatch(index, interval, report -> sender.send(report), nanos));
    if (index == 0) {
      all.add(
          new LayerWatch(interval, model, getMetricGroup(), report -> sender.send(report), nanos));
      RecentConfusion.of(model.spec().shape())
          .map(
              confusion ->
                  new ConfusionWatch(confusion, interval, report -> sender.send(report), nanos))
          .ifPresent(all::add);
    }
    return all;
  }

  private int replicas() {
    return getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
  }

  private void begin() throws IOException {
    InitialModel start = initial.read(getRuntimeContext());
    replica.begin(start);
    offered = index == 0 ? start.serverOptimizer() : null;
  }

  @Override
  public void open() throws Exception {
    super.open();
    learning = new ReplicaMetrics(MillraceMetrics.of(getMetricGroup()), model);
    ReplicaMetrics.register(MillraceMetrics.of(getMetricGroup()), hooks);
    link = ReplicaLinks.open();
    sender = new ReplicaSender(output, link, learning, faults, index);
    hookSender.open(output, link);
    contributions = new Contributions(replica, sender, learning, sourceLink);
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    mailbox.execute(this::greet, "greet coordinator and exchange");
    link.feedback().listen(() -> soon(this::takeFeedback, "take feedback"));
    link.mail().listen(() -> soon(this::takeMail, "take mail of hooks"));
    waitForExamples();
    waitWatch = WaitWatch.start(getProcessingTimeService(), replica::waitsFor);
  }

  private void soon(ThrowingRunnable<Exception> what, String description) {
    try {
      mailbox.execute(what, description);
    } catch (RejectedExecutionException e) {
      LOG.debug("Replica {} has ended: it doesn't {} any more", index, description);
    }
  }

  private void greet() {
    sender.send(new Hello(index, replicas(), link.home()));
    for (int block = 0; block < settings.layout().count(); block++) {
      sender.send(
          offered == null
              ? replica.pull(block, link.home())
              : replica.offer(block, offered, link.home()));
    }
    offered = null;
  }

  private void takeFeedback() {
    if (isStopped()) {
      return;
    }
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

  private void takeMail() {
    if (isStopped()) {
      return;
    }
    link.mail().drain(replica::accept);
    trainWhileFull();
  }

  @Override
  public void processElement(StreamRecord<Received> element) {
    Received received = element.getValue();
    if (received instanceof RejectedRecord rejected) {
      replica.reject(rejected.partition(), rejected.offset());
      sender.send(rejected);
    } else if (received instanceof Example example) {
      lags.complete(example);
      if (settings.examples().segments().holdsOut(example.partition(), example.offset())) {
        replica.holdOut(example.partition(), example.offset());
        sender.send(settings.examples().segments().keep(example));
      } else {
        window.add(example, nanos.getAsLong());
        trainWhileFull();
      }
    } else {
      replica.skip(received.partition(), received.offset());
      learning.skipped();
    }
  }

  private void trainWhileFull() {
    window.close(replica.minibatch(window.size()));
    while (replica.mayTrain() && next.isReady()) {
      train();
    }
    setGate();
  }

  private void setGate() {
    boolean mayTrain = replica.mayTrain();
    if (replica.hasEnded()) {
      sourceLink.gate().end();
    }
    sourceLink.gate().setOpen(mayTrain && next.hasRoom());
    learning.waits(!mayTrain || window.hasFull());
  }

  private void train() {
    faults.reach(Place.LOCAL_STEP, index);
    Minibatch minibatch = window.take(nanos.getAsLong());
    Measures measures = replica.learn(minibatch, this::reject);
    if (minibatch.fresh() > 0) {
      learning.learned(minibatch, measures);
    }
    window.recycle(minibatch);
    saidIdle = false;
    learning.accepted(replica);
    if (replica.hasLearned() && replica.isDue()) {
      contributions.make();
    }
  }

  private void reject(Partition partition, long offset, String reason) {
    sender.send(RejectedRecord.withoutBytes(partition, offset, reason));
  }

  private void waitForExamples() {
    long now = getProcessingTimeService().getCurrentProcessingTime();
    waitTimer =
        getProcessingTimeService()
            .registerTimer(now + settings.batching().maxWait().toMillis(), time -> endWait());
  }

  /** A partial minibatch has waited long enough, or nothing came at all. */
  private void endWait() {
    // The mail of a timer that had fired can't be cancelled.
    if (isStopped() || saidFarewell) {
      return;
    }
    if (replica.mayTrain()) {
      if (window.isOverdue(nanos.getAsLong())) {
        if (!window.hasFull()) {
          window.close();
        }
        trainWhileFull();
      } else if (window.isEmpty() && learning.steps() == stepsAtLastWait) {
        pause();
      }
    }
    stepsAtLastWait = learning.steps();
    waitForExamples();
  }

  /** Nothing to learn for now: what was learned shouldn't wait, and nobody should wait for us. */
  private void pause() {
    replica.endDelay();
    learning.accepted(replica);
    setGate();
    if (replica.hasToContribute() && replica.isReleased()) {
      contributions.makeAll();
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
  public void endInput() throws Exception {
    while (!replica.knowsModel()) {
      // Drained right after a start: what waits can't be learned from a model that has yet to come.
      mailbox.yield();
    }
    replica.inputEnded();
    window.close();
    while (!window.isEmpty()) {
      if (next.isReady()) {
        train();
      } else {
        // A mail may train, too.
        mailbox.yield();
      }
    }
    contributions.makeLast();
    sender.send(replica.farewell());
    saidFarewell = true;
    waitTimer.cancel(false);
    waitWatch.stop();
    link.feedback().end();
    link.mail().end();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    contributions.refuseUnsound();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    states.save(index, replica, window);
    soon(states::clear, "let go of the checkpoint");
  }

  @Override
  public void close() throws Exception {
    if (link != null) {
      link.feedback().end();
      link.mail().end();
      ReplicaLinks.close(link);
      link = null;
    }
    if (model != null) {
      model.close();
      model = null;
    }
    TaskLink.uninstall();
    super.close();
  }
}
