package dev.millrace.exchange.round;

import java.time.Duration;

/**
 * How long a round that has its first contribution waits for the others. Times are in milliseconds
 * since the epoch.
 *
 * <p>Not thread-safe.
 */
public final class RoundWait {

  private static final long NONE = -1;

  private final Duration timeout;
  private final double patience;
  private long lastRound = NONE;
  private long closedAt;
  private long end;

  /**
   * @param timeout from the first contribution on
   * @param patience from the contribution that makes half of them on, as a multiple of the time
   *     since the round before; 0 for the timeout alone
   */
  public RoundWait(Duration timeout, double patience) {
    this.timeout = timeout;
    this.patience = patience;
  }

  /** The newest round was closed, or waiting begins. */
  public void closed(long time) {
    closedAt = time;
  }

  /**
   * Until when the open round waits, now that a contribution has come to it.
   *
   * @param round the newest closed round
   * @param quorum whether half of the contributions are here
   */
  public long until(long round, boolean quorum, long time) {
    if (round != lastRound) {
      lastRound = round;
      end = time + timeout.toMillis();
    }
    if (patience > 0 && quorum) {
      end = Math.min(end, time + Math.max(1, (long) (patience * (time - closedAt))));
    }
    return end;
  }

  /** Whether the round that follows {@code round} has waited long enough. */
  public boolean isOver(long round, long time) {
    return round == lastRound && time >= end;
  }
}
