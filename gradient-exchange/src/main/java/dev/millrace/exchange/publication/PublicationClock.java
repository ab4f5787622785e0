package dev.millrace.exchange.publication;

import java.time.Duration;
import java.util.Set;

/**
 * Says of each round what its model is wanted for, and remembers when one was last released.
 *
 * <p>Not thread-safe.
 */
public final class PublicationClock {

  private final PublicationPlan plan;
  private long released;

  /** {@code nanos} is now, as {@link System#nanoTime}. */
  public PublicationClock(PublicationPlan plan, long nanos) {
    this.plan = plan;
    this.released = nanos;
  }

  /** Returns what the model of a round that was just made is wanted for; empty if for nothing. */
  public Set<Purpose> of(long round, long nanos) {
    Set<Purpose> purposes = plan.of(round, Duration.ofNanos(nanos - released));
    if (purposes.contains(Purpose.RELEASE)) {
      released = nanos;
    }
    return purposes;
  }
}
