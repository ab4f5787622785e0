package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.ByteStringCopies;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.hook.HookOrigin;
import dev.millrace.exchange.hook.HookState;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.state.StateInitializationContext;

/** What the hooks of one replica keep in checkpoints, each in a state of its own. */
final class HookStates {

  private final Map<HookState.Shared, ByteStringState> shared = new LinkedHashMap<>();
  private final Map<HookState.Own, ByteStringCopies> own = new LinkedHashMap<>();

  private HookStates() {}

  /**
   * Opens the states of these hooks. Of what the checkpoint has of others it lets go: what isn't
   * opened Flink would write again and again.
   */
  static HookStates open(StateInitializationContext context, List<HookState> hooks)
      throws Exception {
    HookStates states = new HookStates();
    Set<String> opened = new HashSet<>();
    for (HookState hook : hooks) {
      String name = ReplicaOperator.HOOK_STATE + hook.name();
      opened.add(name);
      if (hook instanceof HookState.Shared parts) {
        states.shared.put(parts, ByteStringState.open(context, name));
      } else if (hook instanceof HookState.Own one) {
        states.own.put(one, ByteStringCopies.open(context, name));
      }
    }
    drop(context, opened);
    return states;
  }

  private static void drop(StateInitializationContext context, Set<String> opened)
      throws Exception {
    OperatorStateStore saved = context.getOperatorStateStore();
    for (String name : left(saved.getRegisteredStateNames(), opened)) {
      ByteStringState.open(context, name).clear();
    }
    for (String name : left(saved.getRegisteredBroadcastStateNames(), opened)) {
      ByteStringCopies.open(context, name).clear();
    }
  }

  private static List<String> left(Set<String> saved, Set<String> opened) {
    return saved.stream()
        .filter(name -> name.startsWith(ReplicaOperator.HOOK_STATE) && !opened.contains(name))
        .toList();
  }

  /** Reads what a checkpoint gave to this replica, once. */
  GivenHooks read(int index) throws Exception {
    GivenHooks given = new GivenHooks();
    for (var hook : shared.entrySet()) {
      given.add(hook.getKey(), hook.getValue().read());
    }
    for (var hook : own.entrySet()) {
      Optional<DataInputStream> saved = hook.getValue().read(index);
      if (saved.isPresent()) {
        given.add(hook.getKey(), saved.get());
      }
    }
    return given;
  }

  /**
   * Saves all of it for the checkpoint that is being taken.
   *
   * @param log what the replica has done since its last contribution
   */
  void save(int index, String log) throws Exception {
    for (var hook : shared.entrySet()) {
      List<byte[]> parts = new ArrayList<>();
      for (byte[] part : hook.getKey().save()) {
        parts.add(new HookOrigin(index, parts.size(), log).before(part));
      }
      hook.getValue().set(parts);
    }
    for (var hook : own.entrySet()) {
      HookState.Own.Saved saved = hook.getKey().save(index);
      HookOrigin origin = new HookOrigin(index, 0, log);
      hook.getValue()
          .defer(
              index,
              out -> {
                origin.write(out);
                saved.write(out);
              });
    }
  }

  void clear() {
    shared.values().forEach(ByteStringState::clear);
    own.values().forEach(ByteStringCopies::clear);
  }
}
