package dev.millrace.exchange.publication;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Says of each round what its model is wanted for, and remembers which was last released, and when.
 *
 * <p>Not thread-safe.
 */
public final class PublicationClock {

  private final PublicationPlan plan;
  private long released;
  private long updated;
  private long updatedRound;
  private long releasedRound;

  /** {@code nanos} is now, as {@link System#nanoTime}. */
  public PublicationClock(PublicationPlan plan, long nanos) {
    this.plan = plan;
    this.released = nanos;
    this.updated = nanos;
  }

  /** Returns what the model of a round that was just made is wanted for; empty if for nothing. */
  public Set<Purpose> of(long round, long nanos) {
    Set<Purpose> purposes =
        plan.of(round, Duration.ofNanos(nanos - released), Duration.ofNanos(nanos - updated));
    if (purposes.contains(Purpose.UPDATE)) {
      updatedNow(round, nanos);
    }
    if (purposes.contains(Purpose.RELEASE)) {
      releasedNow(round, nanos);
    }
    return purposes;
  }

  /**
   * Returns what the model of a checkpoint is wanted for beside it; empty if for nothing. Where no
   * round is made any more, since no records come, this releases the last one's model in time.
   *
   * @param round newest one
   */
  public Set<Purpose> ofCheckpoint(long round, long nanos) {
    Set<Purpose> purposes = EnumSet.noneOf(Purpose.class);
    if (round > releasedRound && plan.isTime(Duration.ofNanos(nanos - released))) {
      purposes.add(Purpose.RELEASE);
      releasedNow(round, nanos);
    }
    if (round > updatedRound && !plan.updateInterval().isZero()) {
      purposes.add(Purpose.UPDATE);
      updatedNow(round, nanos);
    }
    return purposes;
  }

  private void updatedNow(long round, long nanos) {
    updated = nanos;
    updatedRound = round;
  }

  private void releasedNow(long round, long nanos) {
    released = nanos;
    releasedRound = round;
  }
}
