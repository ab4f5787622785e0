package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds what a checkpoint has of a replica, but for the examples that wait: the log says which
 * these were.
 *
 * @param replica see {@link Replica#save}
 * @param shared what each hook has that keeps parts which replicas share, by the hook's name
 * @param own what each hook has that keeps a state of its replica alone
 */
record SavedLearner(byte[] replica, Map<String, List<byte[]>> shared, Map<String, byte[]> own) {

  /** Saves a replica as it is now. */
  static SavedLearner of(int number, Replica replica, List<ReplicaHook> hooks) {
    try {
      Map<String, List<byte[]>> shared = new HashMap<>();
      Map<String, byte[]> own = new HashMap<>();
      for (HookState state : states(hooks)) {
        if (state instanceof HookState.Shared parts) {
          shared.put(state.name(), parts.save());
        } else if (state instanceof HookState.Own one) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          one.save(number).write(new DataOutputStream(bytes));
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

  /**
   * Has a replica go on from some.
   *
   * @throws UnusableLogException if hooks keep what was dealt out anew, as at a change of their
   *     number
   */
  static void restore(
      List<SavedLearner> saved,
      int number,
      boolean dealtAnew,
      Replica replica,
      List<ReplicaHook> hooks) {
    try {
      replica.restore(saved.stream().map(one -> in(one.replica())).toList());
      List<HookState> states = states(hooks);
      if (dealtAnew && !states.isEmpty()) {
        throw new UnusableLogException(
            "What replicas keep of older examples and models was dealt out anew here, as their"
                + " number changed, and the log doesn't say how");
      }
      for (HookState state : saved.isEmpty() ? List.<HookState>of() : states) {
        saved.get(0).restore(number, state);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void restore(int number, HookState state) throws IOException {
    if (state instanceof HookState.Shared parts) {
      parts.restore(shared.getOrDefault(state.name(), List.of()));
    } else if (state instanceof HookState.Own one && own.containsKey(state.name())) {
      one.restore(number, in(own.get(state.name())));
    }
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
