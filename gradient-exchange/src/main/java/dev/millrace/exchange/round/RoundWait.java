package dev.millrace.exchange.round;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How long a round that has its first contribution waits for the others. Times are in milliseconds
 * since the epoch.
 *
 * <p>It waits at least twice as long as the slowest replica usually needs for its local steps:
 * whoever is in the middle of them can join. Otherwise replicas that are out of step once would
 * stay so, each in rounds of its own.
 *
 * <p>A replica that stays far slower than the others is another matter: where they train meanwhile,
 * they would run apart. So the round waits for it as for stragglers, whether patience is limited or
 * not.
 *
 * <p>Not thread-safe.
 */
public final class RoundWait {

  private static final long NONE = -1;

  /** One for the steps that others are in the middle of, one for what is slower than usual. */
  private static final long PERIODS = 2;

  /** The patience with a lasting straggler, as a multiple of what half of them took. */
  private static final double PATIENCE = 1;

  private final Duration timeout;
  private final double patience;
  private long lastRound = NONE;
  private long closedAt;
  private long end;

  /**
   * @param timeout from the first contribution on, or longer where local steps take longer
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
   * Returns until when the open round waits, now that a contribution has come to it.
   *
   * @param round the newest closed round
   * @param quorum whether half of the contributions are here
   * @param straggler whether a replica stays so slow that the others had better not wait for it
   * @param steps how long the slowest replica usually needs for its local steps
   */
  public long until(
      long round, boolean quorum, boolean straggler, long time, Supplier<Duration> steps) {
    if (round != lastRound) {
      lastRound = round;
      end = time + Math.max(timeout.toMillis(), PERIODS * steps.get().toMillis());
    }
    double limit = patience == 0 && straggler ? PATIENCE : patience;
    if (limit > 0 && quorum) {
      end = Math.min(end, time + Math.max(1, (long) (limit * (time - closedAt))));
    }
    return end;
  }

  /** Whether the round that follows {@code round} has waited long enough. */
  public boolean isOver(long round, long time) {
    return round == lastRound && time >= end;
  }
}
