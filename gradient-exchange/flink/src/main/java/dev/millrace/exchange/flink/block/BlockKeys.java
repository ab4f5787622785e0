package dev.millrace.exchange.flink.block;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The key of each parameter block, chosen so that blocks spread evenly over Flink's key groups, and
 * with that over any number of subtasks. Hashing block numbers themselves would not: few keys hash
 * unevenly. The choice depends on the number of blocks and key groups alone, so it holds across
 * changes of parallelism.
 */
public final class BlockKeys implements Serializable {

  private final int[] keys;
  private final int keyGroups;

  public BlockKeys(int blocks, int keyGroups) {
    this.keys = new int[blocks];
    this.keyGroups = keyGroups;
    Map<Integer, Deque<Integer>> wanting = new HashMap<>();
    for (int block = 0; block < blocks; block++) {
      int group = (int) ((long) block * keyGroups / blocks);
      wanting.computeIfAbsent(group, any -> new ArrayDeque<>()).add(block);
    }
    for (int key = 0; !wanting.isEmpty(); key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      Deque<Integer> waiting = wanting.get(group);
      if (waiting != null) {
        keys[waiting.removeFirst()] = key;
        if (waiting.isEmpty()) {
          wanting.remove(group);
        }
      }
    }
  }

  public int keyOf(int block) {
    return keys[block];
  }

  public int blocks() {
    return keys.length;
  }

  public int keyGroups() {
    return keyGroups;
  }

  /** Whether the block belongs to this one of {@code subtasks} subtasks. */
  public boolean isOwned(int block, int subtask, int subtasks) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(keys[block], keyGroups, subtasks)
        == subtask;
  }
}
