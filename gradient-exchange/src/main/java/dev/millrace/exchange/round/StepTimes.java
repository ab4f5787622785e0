package dev.millrace.exchange.round;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each replica's local steps take, to tell a replica that is slow for a while from one
 * that stays slow. Nothing of it is part of a checkpoint.
 *
 * <p>Not thread-safe.
 */
final class StepTimes {

  /** So many contributions in a row have to be slow: one alone was a pause. */
  private static final int CONTRIBUTIONS = 3;

  /** A straggler's steps take more than so many times the median replica's. */
  private static final int SLOWER = 3;

  /** Nanoseconds a step of each replica's newest contributions; 0 where there is none yet. */
  private final Map<Integer, long[]> newest = new HashMap<>();

  private final Map<Integer, Integer> next = new HashMap<>();

  /** A replica has contributed. */
  void add(int replica, Phases phases) {
    if (phases.steps() > 0) {
      int place = next.merge(replica, 1, Integer::sum) % CONTRIBUTIONS;
      newest.computeIfAbsent(replica, any -> new long[CONTRIBUTIONS])[place] =
          phases.fit() / phases.steps();
    }
  }

  /** A replica has no examples: it keeps nobody waiting. */
  void forget(int replica) {
    newest.remove(replica);
    next.remove(replica);
  }

  /**
   * Whether the steps of a replica have been far slower than the others' for some time. One that
   * hasn't contributed often enough yet is neither slow nor fast.
   */
  boolean haveStraggler() {
    long[] steady =
        newest.values().stream()
            .mapToLong(times -> Arrays.stream(times).min().orElse(0))
            .filter(time -> time > 0)
            .toArray();
    Arrays.sort(steady);
    return steady.length > 1
        && steady[steady.length - 1] > SLOWER * Math.max(1, steady[(steady.length - 1) / 2]);
  }
}
