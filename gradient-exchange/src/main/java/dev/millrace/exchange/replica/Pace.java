package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.schedule.Schedule;

/**
 * When to train and when to contribute, as the schedule and the newest head say.
 *
 * <p>Not thread-safe.
 */
final class Pace {

  private final Schedule schedule;
  private final PhaseClock clock;
  private boolean known;
  private long round;
  private int localSteps;
  private boolean ended;

  /** {@code clock} tells the time since the last contribution. */
  Pace(Schedule schedule, PhaseClock clock) {
    this.schedule = schedule;
    this.clock = clock;
  }

  void accept(RoundHead head) {
    known = true;
    round = Math.max(round, head.round());
    localSteps = head.localSteps();
    ended = head.ended();
  }

  /**
   * Whether a replica that knows all blocks may train: when a head has come, and where the schedule
   * waits for rounds only while it is released.
   */
  boolean mayTrain(boolean released) {
    return known && (!schedule.waits() || released);
  }

  /** Whether any head has come. */
  boolean isKnown() {
    return known;
  }

  /** Whether so many local steps, or the time that they took, are enough for a contribution. */
  boolean isEnough(int steps) {
    return steps >= localSteps || isOverdue();
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
    return ended;
  }
}
