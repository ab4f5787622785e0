package dev.millrace.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * An endless sequence of faults that a seed decides. Every kind comes once, in some order, before
 * any comes again.
 *
 * <p>Not thread-safe.
 */
public final class FaultPlan {

  private static final long LEAST_CALM = 500;
  private static final long MOST_CALM = 3_000;
  private static final long LEAST_LENGTH = 2_000;
  private static final long MOST_LENGTH = 20_000;

  /** Nothing is gained by a directory that is away for longer: the job only waits. */
  private static final long MOST_STORAGE_LENGTH = 8_000;

  private final Random random;
  private final List<FaultKind> kinds;
  private final Deque<FaultKind> left = new ArrayDeque<>();

  /**
   * @param kinds that can be caused here; at least one
   */
  public FaultPlan(long seed, Set<FaultKind> kinds) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("A plan needs a kind of fault");
    }
    this.random = new Random(seed);
    // In one order, whatever order the set has.
    this.kinds = new ArrayList<>(kinds);
    Collections.sort(this.kinds);
  }

  public PlannedFault next() {
    if (left.isEmpty()) {
      List<FaultKind> shuffled = new ArrayList<>(kinds);
      Collections.shuffle(shuffled, random);
      left.addAll(shuffled);
    }
    FaultKind kind = left.removeFirst();
    return new PlannedFault(
        kind,
        between(LEAST_CALM, MOST_CALM),
        between(LEAST_LENGTH, mostLength(kind)),
        random.nextInt(Integer.MAX_VALUE));
  }

  private static long mostLength(FaultKind kind) {
    return switch (kind) {
      case CHECKPOINTS_FULL, CHECKPOINTS_AWAY, RESTART_BROKER -> MOST_STORAGE_LENGTH;
      default -> MOST_LENGTH;
    };
  }

  private Duration between(long least, long most) {
    return Duration.ofMillis(least + (long) (random.nextDouble() * (most - least)));
  }
}
