package dev.millrace.simulate.task;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * What a checkpoint has of one operator of one subtask.
 *
 * @param lists strings of each list state
 * @param broadcasts entries of each broadcast state
 * @param keyed values by name and key
 */
public record SavedState(
    Map<String, List<byte[]>> lists,
    Map<String, List<byte[]>> broadcasts,
    Map<String, Map<Object, byte[]>> keyed) {

  /** Nothing. */
  public static final SavedState NONE = new SavedState(Map.of(), Map.of(), Map.of());

  /** Reads one list state. */
  public <T> ListState<T> list(ListStateDescriptor<T> descriptor) {
    return new ListStates(this).getListState(descriptor);
  }

  /**
   * Returns what Flink deals to a subtask: with as many subtasks each has its own, else items are
   * dealt in runs.
   *
   * @param saved by subtask
   */
  public static SavedState deal(List<SavedState> saved, int subtask, int subtasks, int keyGroups) {
    return new SavedState(
        lists(saved, subtask, subtasks),
        broadcasts(saved, subtask),
        keyed(saved, subtask, subtasks, keyGroups));
  }

  private static Map<String, List<byte[]>> lists(
      List<SavedState> saved, int subtask, int subtasks) {
    if (saved.size() == subtasks) {
      return saved.get(subtask).lists();
    }
    // Flink deals states in the order of such a map, each from the subtask on at which the one
    // before left off.
    Map<String, List<byte[]>> all = new HashMap<>();
    for (SavedState one : saved) {
      one.lists()
          .forEach(
              (name, items) -> all.computeIfAbsent(name, any -> new ArrayList<>()).addAll(items));
    }
    Map<String, List<byte[]>> dealt = new TreeMap<>();
    int first = 0;
    for (Map.Entry<String, List<byte[]>> state : all.entrySet()) {
      List<byte[]> items = state.getValue();
      dealt.put(state.getKey(), run(items, Math.floorMod(subtask - first, subtasks), subtasks));
      first = (first + items.size()) % subtasks;
    }
    return dealt;
  }

  private static List<byte[]> run(List<byte[]> items, int place, int places) {
    int base = items.size() / places;
    int rest = items.size() % places;
    int from = place * base + Math.min(place, rest);
    return List.copyOf(items.subList(from, from + base + (place < rest ? 1 : 0)));
  }

  private static Map<String, List<byte[]>> broadcasts(List<SavedState> saved, int subtask) {
    SavedState own = saved.get(subtask % saved.size());
    return own.broadcasts().isEmpty()
        ? saved.stream()
            .map(SavedState::broadcasts)
            .filter(states -> !states.isEmpty())
            .findFirst()
            .orElse(Map.of())
        : own.broadcasts();
  }

  private static Map<String, Map<Object, byte[]>> keyed(
      List<SavedState> saved, int subtask, int subtasks, int keyGroups) {
    Map<String, Map<Object, byte[]>> owned = new TreeMap<>();
    for (SavedState one : saved) {
      one.keyed()
          .forEach(
              (name, values) ->
                  values.forEach(
                      (key, value) -> {
                        if (KeyGroupRangeAssignment.assignKeyToParallelOperator(
                                key, keyGroups, subtasks)
                            == subtask) {
                          owned.computeIfAbsent(name, any -> new TreeMap<>()).put(key, value);
                        }
                      }));
    }
    return owned;
  }
}
