package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.HopelessException;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NanoClock;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.publication.Occasion;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Accounts;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.RefusalStreaks;
import dev.millrace.exchange.round.Roster;
import dev.millrace.exchange.round.RosterMessage;
import dev.millrace.exchange.round.RosterMessage.Announcement;
import dev.millrace.exchange.round.RosterMessage.Farewell;
import dev.millrace.exchange.round.RosterMessage.Hello;
import dev.millrace.exchange.round.RosterMessage.Idle;
import dev.millrace.exchange.round.RosterMessage.Refusal;
import dev.millrace.exchange.round.RoundClock;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.round.RoundWait;
import dev.millrace.model.InvalidModelException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one place that decides rounds: a shell around {@link Roster} that gives it time, tells every
 * block its decisions and every replica the head of each round. Runs at parallelism 1.
 */
public final class RosterOperator extends AbstractStreamOperator<Decision>
    implements OneInputStreamOperator<RosterMessage, Decision>, BoundedOneInput {

  private static final Duration TIME_CHECK = Duration.ofSeconds(10);

  private final RosterSettings settings;
  private final FaultInjector faults;
  private final NanoClock nanos;

  private transient ByteStringState state;
  private transient SavedModel model;
  private transient Roster roster;
  private transient RoundClock clock;
  private transient EarlyStop earlyStop;
  private transient RosterMetrics progress;
  private transient int members;
  private transient ReportInterval reports;
  private transient long released;
  private transient ScheduledFuture<?> roundTimer;
  private transient ScheduledFuture<?> timeCheck;

  private transient long roundTimerAt;
  private transient RoundWait wait;

  private transient RefusalStreaks refusals;

  private transient boolean ended;

  public RosterOperator(RosterSettings settings, FaultInjector faults) {
    this(settings, faults, NanoClock.SYSTEM);
  }

  RosterOperator(RosterSettings settings, FaultInjector faults, NanoClock nanos) {
    this.settings = settings;
    this.faults = faults;
    this.nanos = nanos;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = ByteStringState.open(context, RosterSettings.STATE);
    List<byte[]> saved = state.get();
    model = settings.model();
    roster = newRoster();
    refusals = new RefusalStreaks();
    clock = new RoundClock();
    earlyStop = new EarlyStop(settings.stopRules());
    if (!saved.isEmpty()) {
      restore(saved.get(0));
    }
    roster.begin(nextGeneration(!saved.isEmpty()));
  }

  /** One that no model bears which this job or another has published. */
  private long nextGeneration(boolean isRestored) throws IOException {
    // Attempts that failed before their first checkpoint have left no trace in the state.
    long attempt = getRuntimeContext().getTaskInfo().getAttemptNumber();
    long own = roster.version().generation() + (isRestored ? 1 : 0) + attempt;
    return Math.max(own, settings.generations().newest() + 1);
  }

  private Roster newRoster() {
    return new Roster(
        Accounts.open(settings.statistics(), settings.iteration(), settings.window()));
  }

  private void restore(byte[] saved) throws IOException {
    try {
      RosterSettings.State restored = settings.restore(saved);
      roster = restored.roster();
      model = restored.model();
      earlyStop = restored.earlyStop();
      refusals = restored.refusals();
    } catch (InvalidModelException e) {
      throw new HopelessException(e);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    released = nanos.getAsLong();
    wait = new RoundWait(settings.roundTimeout(), settings.patience());
    wait.closed(now());
    earlyStop.begin(now());
    earlyStop.observe(roster.accounts().recent(), roster.accounts().ledger().learnedCount());
    watchTime(settings.stopRules().time());
    progress =
        new RosterMetrics(
            MillraceMetrics.of(getMetricGroup()),
            report(now()),
            settings.model().spec().shape().target(),
            nanos);
    reports =
        new ReportInterval(
            settings.reportInterval(),
            getProcessingTimeService(),
            report -> output.collect(ExchangeOutputs.REPORTS, new StreamRecord<>(report)));
  }

  /** Time can be up while no round is made. */
  private void watchTime(Duration limit) {
    if (!limit.isZero() && !ended) {
      long pause = Math.max(1, Math.min(limit.toMillis() / 10, TIME_CHECK.toMillis()));
      timeCheck =
          getProcessingTimeService()
              .registerTimer(
                  now() + pause,
                  time -> {
                    if (earlyStop.reason(time).isPresent()) {
                      tellReplicas();
                    }
                    watchTime(limit);
                  });
    }
  }

  @Override
  public void processElement(StreamRecord<RosterMessage> element) {
    faults.reach(Place.ROSTER, 0);
    RosterMessage message = element.getValue();
    if (message instanceof Hello hello) {
      roster.hello(hello);
      tellReplicas();
    } else if (message instanceof Announcement announcement) {
      refusals.announced(announcement.replica());
      clock.announced(announcement, nanos.getAsLong());
      roster.announce(announcement);
    } else if (message instanceof Refusal refusal) {
      takeRefusal(refusal);
    } else if (message instanceof Idle) {
      roster.idle(message.replica());
    } else if (message instanceof Farewell farewell) {
      roster.farewell(farewell);
    }
    closeRounds();
  }

  private void takeRefusal(Refusal refusal) {
    roster.refuse(refusal);
    progress.refused();
    int inARow = refusals.refused(refusal.replica());
    LOG.warn(
        "What replica {} learned from {} records was left out of the model: {}",
        refusal.replica(),
        refusal.refused().rejectedCount(),
        refusal.reason());
    if (settings.mostRefusals() > 0 && inARow > settings.mostRefusals()) {
      throw new HopelessException(
          new ArithmeticException(
              ("%d contributions in a row of replica %d were left out of the model, and"
                      + " guard.max-refusals bears with %d. Of the newest: %s")
                  .formatted(
                      inARow, refusal.replica(), settings.mostRefusals(), refusal.reason())));
    }
  }

  private void closeRounds() {
    while (roster.ready()) {
      closeRound();
    }
    if (roster.hasAnnouncements()) {
      awaitOthers();
    }
  }

  /** One timer at a time; where it comes too early it is set anew. */
  private void awaitOthers() {
    long until = wait.until(roster.version().round(), roster.hasQuorum(), now());
    if (roundTimer != null && until < roundTimerAt) {
      roundTimer.cancel(false);
      roundTimer = null;
    }
    if (roundTimer == null) {
      roundTimerAt = until;
      roundTimer = getProcessingTimeService().registerTimer(until, this::endWait);
    }
  }

  private void endWait(long time) {
    roundTimer = null;
    long round = roster.version().round();
    if (roster.hasAnnouncements() && wait.isOver(round, time)) {
      int late = roster.expire();
      progress.timedOut(late);
      if (settings.patience() == 0) {
        // With patience that is the rule; with the timeout alone something hangs.
        LOG.info("Round {} goes on without {} replica(s) that are late", round + 1, late);
      }
    }
    closeRounds();
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void closeRound() {
    ClosedRound closed = roster.close();
    long round = closed.round();
    Set<Purpose> purposes =
        settings.publication().of(round, Duration.ofNanos(nanos.getAsLong() - released));
    boolean publish = !purposes.isEmpty();
    if (purposes.contains(Purpose.RELEASE)) {
      released = nanos.getAsLong();
    }
    members = closed.members().size();
    long now = now();
    wait.closed(now);
    RoundTimeline timeline =
        clock.closed(roster.version(), closed.members(), nanos.getAsLong(), now);
    earlyStop.observe(roster.accounts().recent(), roster.accounts().ledger().learnedCount());
    tellReplicas();
    for (int block = 0; block < settings.blocks(); block++) {
      faults.reach(Place.DECISION, 0);
      output.collect(new StreamRecord<>(new Decision(block, round, closed.members(), publish)));
    }
    if (publish) {
      publish(Occasion.round(round), purposes);
    }
    RoundReport report = report(now);
    progress.closed(report);
    if (settings.timeline()) {
      output.collect(ExchangeOutputs.TIMELINES, new StreamRecord<>(timeline));
    }
    reports.closed(report);
  }

  private void tellReplicas() {
    int localSteps = settings.schedule().localSteps(roster.version().round(), clock.cost());
    progress.localSteps(localSteps);
    Optional<String> reason = earlyStop.reason(now());
    if (reason.isPresent() && !ended) {
      LOG.info("Training ends at {}: {}", roster.version(), reason.get());
      // For good: replicas that have heard of it take nothing more.
      ended = true;
    }
    output.collect(ExchangeOutputs.HEADS, new StreamRecord<>(roster.head(localSteps, ended)));
  }

  private void publish(Occasion occasion, Set<Purpose> purposes) {
    Accounts accounts = roster.accounts();
    output.collect(
        ExchangeOutputs.PUBLISHED,
        new StreamRecord<>(
            new PublishedPart.Head(
                occasion,
                purposes,
                roster.version(),
                accounts.iteration(),
                accounts.statistics().copy(),
                accounts.ledger().copy(),
                accounts.measures(),
                model.lineage())));
  }

  private RoundReport report(long now) {
    Accounts accounts = roster.accounts();
    return new RoundReport(
        roster.version(),
        now,
        accounts.ledger().learnedCount(),
        accounts.ledger().rejectedCount(),
        members,
        accounts.measures(),
        accounts.recent());
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    if (settings.publication().checkpoints()) {
      publish(Occasion.checkpoint(checkpointId), Set.of());
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.set(List.of(new RosterSettings.State(roster, model, earlyStop, refusals).toBytes()));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    progress.checkpointed();
  }

  /** All replicas have ended, or are being drained: nobody is left to wait for. */
  @Override
  public void endInput() {
    if (timeCheck != null) {
      timeCheck.cancel(false);
    }
    roster.expire();
    closeRounds();
  }

  @Override
  public void finish() throws Exception {
    publish(Occasion.end(), Set.of());
    output.collect(ExchangeOutputs.REPORTS, new StreamRecord<>(report(now())));
    super.finish();
  }
}
