package dev.millrace.exchange.flink;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What counts once a checkpoint is complete: one value a checkpoint, newer ones with later
 * checkpoints. A checkpoint that completes stands for all before it, whose own news may never have
 * come; one that is aborted stands for nothing.
 *
 * <p>Not thread-safe.
 */
public final class PendingCheckpoints<T> {

  private final NavigableMap<Long, T> pending = new TreeMap<>();

  /** The value counts when this checkpoint or a later one completes. */
  public void add(long checkpoint, T value) {
    pending.put(checkpoint, value);
  }

  /**
   * The checkpoint is complete.
   *
   * @return the newest value that counts now; empty if none does that didn't before
   */
  public Optional<T> complete(long checkpoint) {
    NavigableMap<Long, T> covered = pending.headMap(checkpoint, true);
    Optional<T> newest = Optional.ofNullable(covered.lastEntry()).map(entry -> entry.getValue());
    covered.clear();
    return newest;
  }

  /** The checkpoint will never be complete: later ones have values of their own. */
  public void abort(long checkpoint) {
    pending.remove(checkpoint);
  }
}
