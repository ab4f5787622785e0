package dev.millrace.exchange.block;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Contributions to one block: the newest of each replica that was taken into the global block, and
 * those that wait for their rounds. Each replica's come, and are taken, in the order of their
 * sequences; those that don't cover the block never come.
 *
 * <p>Not thread-safe.
 */
final class WaitingContributions {

  private final int block;

  /** The sequence of the newest that was taken, by replica. */
  private final Map<Integer, Long> taken = new TreeMap<>();

  /** The changes that wait, by replica; only replicas of which some do. */
  private final Map<Integer, Deque<WaitingChange>> waiting = new TreeMap<>();

  WaitingContributions(int block) {
    this.block = block;
  }

  /**
   * Keeps a contribution until its round is made.
   *
   * @throws IllegalStateException if it isn't newer than what came of the replica before: none may
   *     count twice
   */
  void add(Contribution contribution) {
    int replica = contribution.replica();
    Deque<WaitingChange> before = waiting.get(replica);
    long newest = before == null ? taken.getOrDefault(replica, 0L) : before.getLast().sequence();
    if (contribution.sequence() <= newest) {
      throw new IllegalStateException(
          (contribution.sequence() == newest
                  ? "Contribution %s of replica %s came twice to block %s"
                  : "Contribution %s of replica %s came to block %s after contribution %s")
              .formatted(contribution.sequence(), replica, block, newest));
    }
    waiting
        .computeIfAbsent(replica, any -> new ArrayDeque<>())
        .add(
            new WaitingChange(
                contribution.sequence(), contribution.weight(), contribution.payload()));
  }

  /** Whether one of each of these replicas waits. */
  boolean has(BitSet replicas) {
    return waiting.size() >= replicas.cardinality()
        && replicas.stream().allMatch(waiting::containsKey);
  }

  /** Returns the ones of these replicas of which none waits; the set is the caller's own. */
  BitSet missing(BitSet replicas) {
    BitSet missing = (BitSet) replicas.clone();
    waiting.keySet().forEach(missing::clear);
    return missing;
  }

  /** Moves the oldest of each of these replicas, by its number. */
  void take(BitSet replicas, SortedMap<Integer, WaitingChange> target) {
    replicas.stream().forEach(replica -> target.put(replica, take(replica)));
  }

  /**
   * The next contribution of each of these replicas was taken in a {@link BlockMessage.Part}.
   *
   * @throws IllegalStateException if one of them waits here
   */
  void takenInPart(BitSet replicas) {
    for (int replica = replicas.nextSetBit(0);
        replica >= 0;
        replica = replicas.nextSetBit(replica + 1)) {
      if (waiting.containsKey(replica)) {
        throw new IllegalStateException(
            "Contribution %s of replica %s came to block %s, and in a part of a round too"
                .formatted(taken.getOrDefault(replica, 0L) + 1, replica, block));
      }
      taken.merge(replica, 1L, Long::sum);
    }
  }

  private WaitingChange take(int replica) {
    Deque<WaitingChange> changes = waiting.get(replica);
    WaitingChange oldest = changes.removeFirst();
    if (changes.isEmpty()) {
      waiting.remove(replica);
    }
    taken.put(replica, oldest.sequence());
    return oldest;
  }

  /** Returns those of another block that has taken the same, and of which nothing waits. */
  WaitingContributions none(int ofBlock) {
    WaitingContributions none = new WaitingContributions(ofBlock);
    none.taken.putAll(taken);
    return none;
  }

  /** Bytes of what waits. */
  long bytes() {
    return waiting.values().stream()
        .flatMap(Deque::stream)
        .mapToLong(change -> change.payload().length())
        .sum();
  }

  /** Writes which were taken, and then what waits. */
  void write(DataOutput out) throws IOException {
    out.writeInt(taken.size());
    for (var replica : taken.entrySet()) {
      out.writeInt(replica.getKey());
      out.writeLong(replica.getValue());
    }
    out.writeInt(waiting.size());
    for (var replica : waiting.entrySet()) {
      out.writeInt(replica.getKey());
      out.writeInt(replica.getValue().size());
      for (WaitingChange change : replica.getValue()) {
        change.write(out);
      }
    }
  }

  static WaitingContributions read(DataInput in, int block) throws IOException {
    WaitingContributions contributions = new WaitingContributions(block);
    for (int left = in.readInt(); left > 0; left--) {
      contributions.taken.put(in.readInt(), in.readLong());
    }
    for (int left = in.readInt(); left > 0; left--) {
      int replica = in.readInt();
      Deque<WaitingChange> changes = new ArrayDeque<>();
      for (int more = in.readInt(); more > 0; more--) {
        changes.add(WaitingChange.read(in));
      }
      contributions.waiting.put(replica, changes);
    }
    return contributions;
  }
}
