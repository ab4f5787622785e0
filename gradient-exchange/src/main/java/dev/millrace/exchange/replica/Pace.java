package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.schedule.Schedule;
import java.util.Optional;

/**
 * When to train and when to contribute, as the schedule and the newest head say.
 *
 * <p>Not thread-safe.
 */
final class Pace {

  private final Schedule schedule;
  private final PhaseClock clock;
  private RoundHead headOrNull;
  private boolean known;
  private long round;

  /** {@code clock} tells the time since the last contribution. */
  Pace(Schedule schedule, PhaseClock clock) {
    this.schedule = schedule;
    this.clock = clock;
  }

  void accept(RoundHead head) {
    known = true;
    headOrNull = head;
    round = Math.max(round, head.round());
  }

  /** Goes on by a head of before a restore. Nobody trains before {@linkplain #accept one} comes. */
  void resume(RoundHead before) {
    headOrNull = before;
  }

  /**
   * Whether a replica that knows all blocks may train: when a head has come, and where the schedule
   * waits for rounds only while it is released, or has made fewer steps than the delay since its
   * contribution.
   */
  boolean mayTrain(boolean released, int steps) {
    return isKnown() && (!schedule.waits() || released || steps < delay());
  }

  /** Local steps after a contribution before its round's result is taken in; 0 for none. */
  int delay() {
    // Never as many as are enough for the next contribution, which is made of that result.
    return headOrNull != null ? Math.min(schedule.delay(), headOrNull.localSteps() - 1) : 0;
  }

  /** Whether any head has come. */
  boolean isKnown() {
    return known;
  }

  /** Whether so many local steps, or the time that they took, are enough for a contribution. */
  boolean isEnough(int steps) {
    return (isKnown() && steps >= headOrNull.localSteps()) || isOverdue();
  }

  private boolean isOverdue() {
    long interval = schedule.interval().toNanos();
    return interval > 0 && clock.elapsed() >= interval;
  }

  /** The newest round that a head has come of; 0 before the first. */
  long round() {
    return round;
  }

  /** Whether training is over. */
  boolean hasEnded() {
    return isKnown() && headOrNull.ended();
  }

  /** The newest head; empty before the first. */
  Optional<RoundHead> head() {
    return Optional.ofNullable(headOrNull);
  }
}
