package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.ByteStringCopies;
import dev.millrace.exchange.flink.ByteStringState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.runtime.state.OperatorStateBackend;

/**
 * Operator states of one subtask, by their names.
 *
 * @param lists see {@link ByteStringState}
 * @param copies see {@link ByteStringCopies}: what this subtask had
 */
public record SubtaskStrings(Map<String, List<byte[]>> lists, Map<String, byte[]> copies) {

  public SubtaskStrings {
    lists = Map.copyOf(lists);
    copies = Map.copyOf(copies);
  }

  /** Returns a list; empty where there is none. */
  public List<byte[]> list(String name) {
    return lists.getOrDefault(name, List.of());
  }

  /** Returns these with another list in the place of one, or beside them. */
  public SubtaskStrings with(String name, List<byte[]> list) {
    Map<String, List<byte[]>> others = new LinkedHashMap<>(lists);
    others.put(name, list);
    return new SubtaskStrings(others, copies);
  }

  /** Reads those of some names. */
  static SubtaskStrings read(OperatorStateBackend backend, int subtask, Predicate<String> names)
      throws Exception {
    Map<String, List<byte[]>> lists = new LinkedHashMap<>();
    for (String name : backend.getRegisteredStateNames()) {
      if (names.test(name)) {
        lists.put(
            name, ByteStringState.strings(backend.getListState(ByteStringState.descriptor(name))));
      }
    }
    Map<String, byte[]> copies = new LinkedHashMap<>();
    for (String name : backend.getRegisteredBroadcastStateNames()) {
      Optional<byte[]> own =
          names.test(name)
              ? ByteStringCopies.own(
                  backend.getBroadcastState(ByteStringCopies.descriptor(name)), subtask)
              : Optional.empty();
      own.ifPresent(string -> copies.put(name, string));
    }
    return new SubtaskStrings(lists, copies);
  }

  /** Puts all of them into a state backend that has none. */
  void write(OperatorStateBackend backend, int subtask) throws Exception {
    for (var list : lists.entrySet()) {
      backend
          .getListState(ByteStringState.descriptor(list.getKey()))
          .update(ByteStringState.asStrings(list.getValue()));
    }
    for (var copy : copies.entrySet()) {
      ByteStringCopies.put(
          backend.getBroadcastState(ByteStringCopies.descriptor(copy.getKey())),
          subtask,
          copy.getValue());
    }
  }
}
