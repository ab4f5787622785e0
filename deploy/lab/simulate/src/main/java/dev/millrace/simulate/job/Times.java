package dev.millrace.simulate.job;

import dev.millrace.simulate.time.Chance;

/**
 * How long things take, in microseconds.
 *
 * @param step a local step, at most
 * @param network a message, at most
 * @param checkpoints from one checkpoint to the next
 * @param write of a task's part of a checkpoint, at most
 * @param begin until a task begins, at most: it loads libraries and its state
 * @param slow a replica whose steps take longer, if there is one of that number
 * @param slowness how many times longer
 */
public record Times(
    long step, long network, long checkpoints, long write, long begin, int slow, int slowness) {

  private static final int NONE = -1;
  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** A slow replica's step: jobs are to end. */
  private static final long MOST = 6 * SECOND;

  /** Draws any. */
  public static Times draw(Chance chance) {
    return new Times(
        chance.anyScale(50 * MILLI, 3 * SECOND),
        chance.anyScale(MILLI, 500 * MILLI),
        chance.anyScale(5 * SECOND, 60 * SECOND),
        chance.anyScale(SECOND / 2, 20 * SECOND),
        chance.anyScale(SECOND, 30 * SECOND),
        chance.says(0.4) ? chance.below(4) : NONE,
        4 + chance.below(5));
  }

  /** Returns the same with another slow replica. */
  Times withSlow(int replica) {
    return new Times(step, network, checkpoints, write, begin, replica, slowness);
  }

  /** Returns how long a local step of a replica takes at most. */
  long longestStep(int replica) {
    return replica == slow ? Math.max(step, Math.min(MOST, slowness * step)) : step;
  }
}
