package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.Verdict;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Makes the rounds that {@link Coordinator} decides: how long an open round waits, what replicas
 * are told of a round, how it is reported, and when training is over. It is told what time it is,
 * in milliseconds since the epoch, and {@code nanos} as {@link System#nanoTime}.
 *
 * <p>Not thread-safe.
 */
public final class RoundMaker {

  /**
   * A round that was just made.
   *
   * @param verdict what steers training makes of it
   */
  public record Made(
      ClosedRound round, RoundTimeline timeline, RoundReport report, Verdict verdict) {}

  private final Coordinator coordinator;
  private final EarlyStop earlyStop;
  private final Schedule schedule;
  private final RoundWait wait;
  private final WholeRound whole;
  private final RoundClock clock = new RoundClock();
  private NewestRound newest = NewestRound.NONE;
  private OptionalLong madeAt = OptionalLong.empty();

  /**
   * Continues with a coordinator as it is now.
   *
   * @param wait of its own
   * @param whole what each round is a part of
   * @param time now
   */
  public RoundMaker(
      Coordinator coordinator,
      EarlyStop earlyStop,
      Schedule schedule,
      RoundWait wait,
      WholeRound whole,
      long time) {
    this.coordinator = coordinator;
    this.earlyStop = earlyStop;
    this.schedule = schedule;
    this.wait = wait;
    this.whole = whole;
    wait.closed(time);
    earlyStop.begin(time);
    observe();
  }

  /** A contribution has been announced. */
  public void announce(Announcement announcement, long nanos) {
    clock.announced(announcement, nanos);
    coordinator.announce(announcement);
  }

  /** A replica has no examples for now. */
  public void idle(int replica) {
    clock.away(replica);
    coordinator.idle(replica);
  }

  /** A replica's input has ended. */
  public void farewell(Farewell farewell) {
    clock.away(farewell.replica());
    coordinator.farewell(farewell);
  }

  /** Whether a round can be made now. */
  public boolean isReady() {
    return coordinator.ready();
  }

  /** Makes the next round. */
  public Made make(long nanos, long time) {
    ClosedRound closed = coordinator.close(whole);
    wait.closed(time);
    RoundTimeline timeline = clock.closed(coordinator.version(), closed.members(), nanos, time);
    newest =
        NewestRound.of(
            closed.members().size(),
            timeline,
            madeAt.isPresent() ? nanos - madeAt.getAsLong() : NewestRound.UNKNOWN,
            clock.pending());
    madeAt = OptionalLong.of(nanos);
    observe();
    return new Made(closed, timeline, report(time), coordinator.controller().newest());
  }

  private void observe() {
    earlyStop.observe(coordinator.totals().recent(), coordinator.totals().ledger().learnedCount());
  }

  /**
   * Returns until when the open round waits; empty while nobody has contributed to it, and while
   * replicas start: it waits for these however long they take, since Flink fails the job if one
   * can't.
   */
  public OptionalLong waitsUntil(long time) {
    return coordinator.isOpen()
        ? OptionalLong.of(
            wait.until(
                coordinator.version().round(),
                coordinator.hasQuorum(),
                !schedule.waits() && clock.hasStraggler(),
                time,
                clock::usualSteps))
        : OptionalLong.empty();
  }

  /**
   * Stops waiting if the open round has waited long enough.
   *
   * @return how many replicas it is made without; empty if it still waits
   */
  public OptionalInt expire(long time) {
    boolean over = coordinator.isOpen() && wait.isOver(coordinator.version().round(), time);
    return over ? OptionalInt.of(coordinator.expire()) : OptionalInt.empty();
  }

  /** Returns which replicas it waits for, in words; empty where it waits for none. */
  public Optional<String> waitsFor() {
    if (coordinator.awaitsReplicas()) {
      BitSet unheardOf = coordinator.unheardOf();
      return Optional.of(
          "No round is made until all replicas have started, and %s has yet to"
              .formatted(unheardOf.isEmpty() ? "each" : unheardOf));
    }
    BitSet awaited = coordinator.awaited();
    return awaited.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Round %s waits for the contributions of replicas %s"
                .formatted(coordinator.version().round() + 1, awaited));
  }

  /** Whether a rule says that training is over, heard of or not. */
  public boolean isOver(long time) {
    return earlyStop.reason(time).isPresent();
  }

  /**
   * Ends training if it is over, which it stays: replicas that have heard of it take nothing more.
   *
   * @return why, the first time
   */
  public Optional<String> end(long time) {
    return earlyStop.end(time);
  }

  /** Returns what replicas have to know of the newest round. */
  public RoundHead head() {
    return coordinator.head(
        schedule.localSteps(coordinator.version().round(), clock.cost()), earlyStop.hasEnded());
  }

  /** Returns how far training has come. */
  public RoundReport report(long time) {
    ModelTotals totals = coordinator.totals();
    return new RoundReport(
        coordinator.version(),
        time,
        totals.ledger().learnedCount(),
        totals.ledger().rejectedCount(),
        totals.refused(),
        newest,
        totals.measures(),
        totals.recent());
  }
}
