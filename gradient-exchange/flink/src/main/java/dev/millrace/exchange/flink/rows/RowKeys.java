package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.KeyGroups;
import java.io.Serializable;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Where Flink has each id: its key group, and the subtask of that. Messages to a shard have a key
 * of their own, which Flink sends there.
 */
public final class RowKeys implements Serializable {

  private final int keyGroups;
  private final int shards;
  private final long[] keys;

  /**
   * @param keyGroups the operator's maximum parallelism
   * @param shards its parallelism
   */
  public RowKeys(int keyGroups, int shards) {
    this.keyGroups = keyGroups;
    this.shards = shards;
    this.keys = new long[shards];
    for (int shard = 0; shard < shards; shard++) {
      while (shardOf(keys[shard]) != shard) {
        keys[shard]++;
      }
    }
  }

  /** Returns how many shards there are. */
  public int shards() {
    return shards;
  }

  /** Returns the shard of an id. */
  public int shardOf(long id) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(id, keyGroups, shards);
  }

  /** Returns the key of messages to a shard. */
  public long keyOf(int shard) {
    return keys[shard];
  }

  /** Returns for each key group some keys that are in it. */
  long[][] keysOfGroups(int each) {
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
    KeyGroupRange range =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(keyGroups, shards, shard);
    int total = keyGroups;
    return new KeyGroups(
        range.getStartKeyGroup(),
        range.getEndKeyGroup(),
        total,
        id -> KeyGroupRangeAssignment.assignToKeyGroup(id, total));
  }
}
