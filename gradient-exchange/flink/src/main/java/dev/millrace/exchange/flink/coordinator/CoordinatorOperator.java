package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.feedback.ReplicaProcesses;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NanoClock;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.PendingCheckpoints;
import dev.millrace.exchange.flink.WaitWatch;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.gather.GatherPlan;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogGap;
import dev.millrace.exchange.publication.PublicationClock;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.PartialRounds;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.RoundMaker;
import dev.millrace.exchange.round.RoundWait;
import dev.millrace.exchange.steering.Notice;
import dev.millrace.model.ModelVersion;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one place that decides rounds: a shell around {@link Coordinator} and {@link RoundMaker} that
 * gives them time, tells every block its decisions and every replica the head of each round. Runs
 * at parallelism 1.
 */
public final class CoordinatorOperator extends AbstractStreamOperator<Decision>
    implements OneInputStreamOperator<CoordinatorMessage, Decision>, BoundedOneInput {

  private final CoordinatorSettings settings;
  private final FaultInjector faults;
  private final NanoClock nanos;

  private transient ByteStringState state;
  private transient CoordinatorState kept;
  private transient Coordinator coordinator;
  private transient RoundMaker rounds;
  private transient ReplicaProcesses processes;
  private transient GatherPlan gathering;
  private transient GatheredPlacesState places;
  private transient PublicationClock publication;
  private transient EarliestTimer roundTimer;
  private transient PartialRounds partial;
  private transient LogGap gap;
  private transient TimeCheck timeCheck;
  private transient WaitWatch waitWatch;
  private transient CoordinatorMetrics roundMetrics;
  private transient CoordinatorOutputs outputs;
  private transient PendingCheckpoints<JobEvent.Checkpointed> checkpoints;

  private transient boolean restored;

  /** The version that the checkpoint holds; null where there is none. */
  private transient ModelVersion fromOrNull;

  private transient boolean greeted;
  private transient boolean finished;

  public CoordinatorOperator(CoordinatorSettings settings, FaultInjector faults) {
    this(settings, faults, NanoClock.SYSTEM);
  }

  /** {@code nanos} is the time that durations are measured with. */
  public CoordinatorOperator(CoordinatorSettings settings, FaultInjector faults, NanoClock nanos) {
    this.settings = settings;
    this.faults = faults;
    this.nanos = nanos;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = ByteStringState.open(context, CoordinatorState.NAME);
    List<byte[]> saved = state.get();
    kept = CoordinatorState.open(settings, saved);
    coordinator = kept.coordinator();
    places = GatheredPlacesState.open(context, settings.gathers());
    gathering = new GatherPlan(coordinator.contributionsUnderWay(), places.read());
    restored = !saved.isEmpty();
    fromOrNull = restored ? coordinator.version() : null;
    UsedGenerations generations = settings.publication().generations();
    coordinator.begin(generations.next(coordinator.version().generation(), restored, attempt()));
  }

  private int attempt() {
    return getRuntimeContext().getTaskInfo().getAttemptNumber();
  }

  @Override
  public void open() throws Exception {
    super.open();
    RoundPace pace = settings.pace();
    RoundWait wait = new RoundWait(pace.timeout(), pace.patience());
    rounds =
        new RoundMaker(coordinator, kept.earlyStop(), pace.schedule(), wait, pace.whole(), now());
    processes = new ReplicaProcesses(settings.gathers());
    partial = new PartialRounds();
    gap = new LogGap();
    publication = new PublicationClock(settings.publication().plan(), nanos.getAsLong());
    roundTimer = new EarliestTimer(getProcessingTimeService(), this::endWait);
    timeCheck =
        new TimeCheck(settings.stopRules().time(), getProcessingTimeService(), this::endOverTime);
    roundMetrics =
        new CoordinatorMetrics(
            MillraceMetrics.of(getMetricGroup()),
            rounds.report(now()),
            kept.model().spec().shape().target(),
            coordinator.controller().hook(),
            nanos);
    outputs = new CoordinatorOutputs(settings, faults, output, getProcessingTimeService());
    checkpoints = new PendingCheckpoints<>();
    waitWatch = WaitWatch.start(getProcessingTimeService(), rounds::waitsFor);
  }

  @Override
  public void processElement(StreamRecord<CoordinatorMessage> element) {
    faults.reach(Place.COORDINATOR, 0);
    CoordinatorMessage message = element.getValue();
    if (message instanceof Hello hello) {
      coordinator.hello(hello);
      if (hello.replica() == 0) {
        settings.batchSize().warning(hello.replicas()).ifPresent(LOG::warn);
      }
      greet(hello);
    } else if (message instanceof Announcement announcement) {
      kept.refusals().announced(announcement.replica());
      rounds.announce(announcement, nanos.getAsLong());
    } else if (message instanceof Refusal refusal) {
      takeRefusal(refusal);
    } else if (message instanceof Idle) {
      rounds.idle(message.replica());
    } else if (message instanceof Farewell farewell) {
      rounds.farewell(farewell);
    }
    makeRounds();
  }

  private void greet(Hello hello) {
    if (!greeted) {
      greeted = true;
      outputs.happened(
          new JobEvent.Began(coordinator.version(), now(), hello.replicas(), restored, attempt()));
      outputs.log(
          new LogEntry.Start(
              coordinator.version(),
              fromOrNull,
              hello.replicas(),
              settings.batchSize().mostReaders()));
    }
    processes.hello(hello);
    if (processes.haveBeenTold() || !settings.gathers()) {
      outputs.head(processes.delivery(hello, head(), coordinator::standing));
    } else if (!coordinator.awaitsReplicas()) {
      // Only now is it known who gathers. That depends on no order of arrival, nor do results.
      tellReplicas();
    }
  }

  private void takeRefusal(Refusal refusal) {
    coordinator.refuse(refusal);
    roundMetrics.refused();
    outputs.refused(rounds.report(now()));
    LOG.warn(
        "What replica {} learned from {} records was left out of the model: {}",
        refusal.replica(),
        refusal.dropped(),
        refusal.reason());
    settings
        .refusals()
        .exceeded(kept.refusals().refused(refusal.replica()), refusal)
        .ifPresent(
            message -> {
              throw new NonRecoverableException(new ArithmeticException(message));
            });
  }

  private void makeRounds() {
    while (rounds.isReady()) {
      makeRound();
    }
    rounds.waitsUntil(now()).ifPresent(roundTimer::set);
  }

  private void endWait(long time) {
    OptionalInt late = rounds.expire(time);
    if (late.isPresent()) {
      roundMetrics.timedOut(late.getAsInt());
      if (settings.pace().patience() == 0) {
        // With patience that is the rule; with the timeout alone something hangs.
        LOG.info(
            "Round {} is made without {} replicas that are late",
            coordinator.version().round() + 1,
            late.getAsInt());
      }
    }
    makeRounds();
  }

  private boolean endOverTime(long time) {
    boolean over = rounds.isOver(time);
    if (over) {
      tellReplicas();
    }
    return over;
  }

  private void makeRound() {
    RoundMaker.Made made = rounds.make(nanos.getAsLong(), now());
    long round = made.round().round();
    Set<Purpose> purposes = publication.of(round, nanos.getAsLong());
    if (made.verdict().publish()) {
      purposes.add(Purpose.RELEASE);
      purposes.add(Purpose.KEEP);
    }
    made.verdict().notices().forEach(this::tell);
    tellReplicas();
    outputs.decide(made.round(), !purposes.isEmpty());
    boolean published = purposes.contains(Purpose.RELEASE);
    List<GatherOrder> orders =
        settings.gathers()
            ? gathering.orders(made.round(), processes::gatherer, processes.replicas())
            : List.of();
    coordinator
        .logged()
        .ifPresent(
            entry -> {
              gap.look(entry).ifPresent(LOG::warn);
              outputs.log(entry.together(GatherOrder.together(orders)).published(published));
            });
    orders.forEach(outputs::order);
    if (!purposes.isEmpty()) {
      outputs.publish(kept.publish(PublicationTrigger.round(round), purposes));
    }
    roundMetrics.closed(made.report(), made.round().participation(), made.timeline());
    if (settings.pace().patience() == 0) {
      partial.made(made.round()).ifPresent(LOG::warn);
    }
    outputs.made(made);
  }

  private void tell(Notice notice) {
    LOG.warn("{}, at model version {}", notice.sentence(), coordinator.version());
    outputs.happened(new JobEvent.Noticed(coordinator.version(), now(), notice));
  }

  private void tellReplicas() {
    processes.tell(head(), coordinator::standing, outputs::head);
  }

  private RoundHead head() {
    rounds
        .end(now())
        .ifPresent(reason -> LOG.info("Training ends at {}: {}", coordinator.version(), reason));
    RoundHead head = rounds.head();
    roundMetrics.localSteps(head.localSteps());
    return head;
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    // A job that is stopped with a savepoint makes no report at its end.
    outputs.flushReports();
    if (settings.publication().plan().checkpoints()) {
      Set<Purpose> purposes =
          publication.ofCheckpoint(coordinator.version().round(), nanos.getAsLong());
      outputs.publish(kept.publish(PublicationTrigger.checkpoint(checkpointId), purposes));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.set(List.of(kept.toBytes(settings.gathers())));
    if (settings.gathers()) {
      places.save(
          gathering.places(
              coordinator.contributionsUnderWay(), processes::gatherer, processes.replicas()));
    }
    checkpoints.add(
        context.getCheckpointId(),
        new JobEvent.Checkpointed(
            coordinator.version(),
            now(),
            context.getCheckpointId(),
            0,
            coordinator.totals().ledger().copy()));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    roundMetrics.checkpointed();
    if (!finished) {
      checkpoints
          .complete(checkpointId)
          .ifPresent(checkpoint -> outputs.happened(checkpoint.completed(now())));
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    checkpoints.abort(checkpointId);
  }

  /** All replicas have ended, or are being drained: nobody is left to wait for. */
  @Override
  public void endInput() {
    faults.reach(Place.INPUT_END, 0);
    timeCheck.end();
    waitWatch.stop();
    coordinator.expire();
    makeRounds();
  }

  @Override
  public void finish() throws Exception {
    outputs.publish(kept.publish(PublicationTrigger.end(), Set.of()));
    outputs.report(rounds.report(now()));
    finished = true;
    super.finish();
  }
}
