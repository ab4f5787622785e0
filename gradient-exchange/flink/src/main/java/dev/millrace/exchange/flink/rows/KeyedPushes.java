package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.KeyGroups;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.flink.runtime.state.internal.InternalValueState;

/**
 * Pushes that a shard holds, in Flink's keyed state: for each key group what is saved of it, under
 * a key of its own. Belongs to the task's thread.
 */
final class KeyedPushes {

  /** There are no tables here. */
  private static final Integer NAMESPACE = 0;

  private final InternalValueState<Long, Integer, byte[]> state;
  private final LongConsumer key;
  private final long[][] keysOfGroups;
  private final KeyGroups groups;
  private boolean isEmpty;

  /**
   * @param key sets Flink's current key
   * @param keysOfGroups has keys of each group; the first one is used
   * @param groups of the shard
   */
  KeyedPushes(
      InternalValueState<Long, Integer, byte[]> state,
      LongConsumer key,
      long[][] keysOfGroups,
      KeyGroups groups) {
    this.state = state;
    this.key = key;
    this.keysOfGroups = keysOfGroups;
    this.groups = groups;
  }

  /** Returns what is saved of each key group, in their order. */
  List<byte[]> read() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (int group = groups.first(); group <= groups.last(); group++) {
      of(group);
      byte[] bytes = state.value();
      if (bytes != null) {
        saved.add(bytes);
      }
    }
    isEmpty = saved.isEmpty();
    return saved;
  }

  /** Replaces all that is saved. */
  void write(Map<Integer, byte[]> saved) throws IOException {
    if (isEmpty && saved.isEmpty()) {
      return;
    }
    for (int group = groups.first(); group <= groups.last(); group++) {
      of(group);
      // Without a value it is cleared.
      state.update(saved.get(group));
    }
    isEmpty = saved.isEmpty();
  }

  private void of(int group) {
    key.accept(keysOfGroups[group][0]);
    state.setCurrentNamespace(NAMESPACE);
  }
}
