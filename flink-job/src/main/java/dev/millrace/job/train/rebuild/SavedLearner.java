package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.hook.HookOrigin;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Holds what a checkpoint has of a replica, but for the examples that wait: the log says which
 * these were.
 *
 * @param replica see {@link Replica#save}
 * @param shared what each hook has that keeps parts which replicas share, by the hook's name; each
 *     begins with its {@link HookOrigin}
 * @param own what each hook has that keeps a state of its replica alone, behind its origin
 */
record SavedLearner(byte[] replica, Map<String, List<byte[]>> shared, Map<String, byte[]> own) {

  /** Saves a replica as it is now. */
  static SavedLearner of(int number, Replica replica, List<ReplicaHook> hooks) {
    try {
      Map<String, List<byte[]>> shared = new HashMap<>();
      Map<String, byte[]> own = new HashMap<>();
      for (HookState state : states(hooks)) {
        if (state instanceof HookState.Shared parts) {
          List<byte[]> list = new ArrayList<>();
          for (byte[] part : parts.save()) {
            list.add(new HookOrigin(number, list.size(), replica.log()).before(part));
          }
          shared.put(state.name(), list);
        } else if (state instanceof HookState.Own one) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          DataOutputStream out = new DataOutputStream(bytes);
          new HookOrigin(number, 0, replica.log()).write(out);
          one.save(number).write(out);
          own.put(state.name(), bytes.toByteArray());
        }
      }
      return new SavedLearner(replica.save().toBytes(), shared, own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes it out of a savepoint. */
  static SavedLearner of(SubtaskStrings saved) {
    Map<String, List<byte[]>> shared = new HashMap<>();
    saved.lists().forEach((name, list) -> hook(name).ifPresent(hook -> shared.put(hook, list)));
    Map<String, byte[]> own = new HashMap<>();
    saved.copies().forEach((name, copy) -> hook(name).ifPresent(hook -> own.put(hook, copy)));
    return new SavedLearner(saved.list(ReplicaOperator.REPLICA_STATE).get(0), shared, own);
  }

  private static Optional<String> hook(String state) {
    return state.startsWith(ReplicaOperator.HOOK_STATE)
        ? Optional.of(state.substring(ReplicaOperator.HOOK_STATE.length()))
        : Optional.empty();
  }

  /** Returns it as a savepoint has it, with examples that wait. */
  SubtaskStrings strings(List<byte[]> examples) {
    Map<String, List<byte[]>> lists = new HashMap<>();
    lists.put(ReplicaOperator.REPLICA_STATE, List.of(replica));
    lists.put(ReplicaOperator.EXAMPLES_STATE, examples);
    shared.forEach((hook, list) -> lists.put(ReplicaOperator.HOOK_STATE + hook, list));
    Map<String, byte[]> copies = new HashMap<>();
    own.forEach((hook, copy) -> copies.put(ReplicaOperator.HOOK_STATE + hook, copy));
    return new SubtaskStrings(lists, copies);
  }

  private static List<HookState> states(List<ReplicaHook> hooks) {
    return hooks.stream().map(ReplicaHook::state).flatMap(Optional::stream).toList();
  }

  /** Returns what the replica had done since its last contribution, see {@link Replica#log}. */
  String log() {
    try {
      return Replica.logUnderWay(in(replica));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all that it has of a hook, in its order, without origins. */
  List<byte[]> parts(String hook) {
    try {
      List<byte[]> saved =
          own.containsKey(hook) ? List.of(own.get(hook)) : shared.getOrDefault(hook, List.of());
      List<byte[]> parts = new ArrayList<>();
      for (byte[] one : saved) {
        parts.add(HookOrigin.part(one));
      }
      return parts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Has a replica go on from some.
   *
   * @param parts what each hook gets back, by its name
   */
  static void restore(
      List<SavedLearner> saved,
      Function<String, List<byte[]>> parts,
      int number,
      Replica replica,
      List<ReplicaHook> hooks) {
    try {
      replica.restore(saved.stream().map(one -> in(one.replica())).toList(), List.of());
      for (HookState state : states(hooks)) {
        restore(state, parts.apply(state.name()), number);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restore(HookState state, List<byte[]> parts, int number) throws IOException {
    if (state instanceof HookState.Shared shared) {
      shared.restore(parts);
    } else if (state instanceof HookState.Own own && !parts.isEmpty()) {
      own.restore(number, in(parts.get(0)));
    }
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
