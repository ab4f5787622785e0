package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.KeyGroups;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Where Flink has each id, with as many shards as there are now: its key group, and the subtask of
 * that. Messages call a shard by its first key group.
 */
public final class RowKeys {

  private final int keyGroups;
  private final int shards;

  /**
   * @param keyGroups the operator's maximum parallelism
   * @param shards its parallelism
   */
  public RowKeys(int keyGroups, int shards) {
    this.keyGroups = keyGroups;
    this.shards = shards;
  }

  /** Returns the shard of an id, by its number. */
  public int shardOf(long id) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(id, keyGroups, shards);
  }

  /** Returns what each shard is called in messages, in the order of their numbers. */
  public int[] names() {
    return IntStream.range(0, shards).map(shard -> range(shard).getStartKeyGroup()).toArray();
  }

  private KeyGroupRange range(int shard) {
    return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(keyGroups, shards, shard);
  }

  /** Returns for each key group some keys that are in it. */
  static long[][] keysOfGroups(int keyGroups, int each) {
    long[][] found = new long[keyGroups][each];
    int[] known = new int[keyGroups];
    int left = Math.multiplyExact(keyGroups, each);
    for (long key = 0; left > 0; key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (known[group] < each) {
        found[group][known[group]++] = key;
        left--;
      }
    }
    return found;
  }

  /** Returns the key groups of a shard. */
  KeyGroups groups(int shard) {
    KeyGroupRange range = range(shard);
    int total = keyGroups;
    return new KeyGroups(
        range.getStartKeyGroup(),
        range.getEndKeyGroup(),
        total,
        id -> KeyGroupRangeAssignment.assignToKeyGroup(id, total));
  }
}
