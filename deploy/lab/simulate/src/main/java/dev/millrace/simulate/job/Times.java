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
 */
public record Times(long step, long network, long checkpoints, long write, long begin) {

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** Draws any. */
  public static Times draw(Chance chance) {
    return new Times(
        chance.anyScale(50 * MILLI, 3 * SECOND),
        chance.anyScale(MILLI, 500 * MILLI),
        chance.anyScale(5 * SECOND, 60 * SECOND),
        chance.anyScale(SECOND / 2, 20 * SECOND),
        chance.anyScale(SECOND, 30 * SECOND));
  }
}
