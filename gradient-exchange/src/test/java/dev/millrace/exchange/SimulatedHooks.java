package dev.millrace.exchange;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.hook.ReplicaHooks;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The hooks of simulated replicas, and what checkpoints keep of them, dealt out as by Flink. */
final class SimulatedHooks {

  private final List<ReplicaHookFactory> factories = new ArrayList<>();

  /** By replica. */
  private final List<List<ReplicaHook>> hooks = new ArrayList<>();

  /** By hook and replica, what the newest checkpoint has, in parts. */
  private List<List<List<byte[]>>> saved = List.of();

  void add(ReplicaHookFactory factory) {
    factories.add(factory);
  }

  /** All replicas are gone, and others are started. */
  void clear() {
    hooks.clear();
  }

  /** Makes those of the next replica. */
  ReplicaHooks next(HookContext context) {
    List<ReplicaHook> made = factories.stream().map(factory -> factory.hook(context)).toList();
    hooks.add(made);
    return new ReplicaHooks(made);
  }

  /** Returns how many rows they may add to a minibatch of so many fresh ones. */
  int mostRows(int fresh) {
    return factories.stream().mapToInt(factory -> factory.mostRows(fresh)).sum();
  }

  /** Saves those of all replicas. */
  void save() throws IOException {
    saved = new ArrayList<>();
    for (int hook = 0; hook < factories.size(); hook++) {
      List<List<byte[]>> states = new ArrayList<>();
      for (List<ReplicaHook> own : hooks) {
        states.add(parts(own.get(hook).state().orElseThrow(), states.size()));
      }
      saved.add(states);
    }
  }

  /** Returns what a checkpoint would have now of one hook, by replica, each as replica 0. */
  List<List<byte[]>> states(int hook) throws IOException {
    List<List<byte[]>> states = new ArrayList<>();
    for (List<ReplicaHook> own : hooks) {
      states.add(parts(own.get(hook).state().orElseThrow(), 0));
    }
    return states;
  }

  private static List<byte[]> parts(HookState state, int replica) throws IOException {
    if (state instanceof HookState.Shared shared) {
      return shared.save();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ((HookState.Own) state).save(replica).write(new DataOutputStream(bytes));
    return List.of(bytes.toByteArray());
  }

  /** Restores those of one replica. */
  void restore(int replica, int replicas) throws IOException {
    for (int hook = 0; hook < saved.size(); hook++) {
      List<List<byte[]>> states = saved.get(hook);
      HookState state = hooks.get(replica).get(hook).state().orElseThrow();
      if (state instanceof HookState.Shared shared) {
        shared.restore(SimulatedCheckpoint.dealtParts(states, replica, replicas));
      } else if (state instanceof HookState.Own own) {
        List<byte[]> all = states.stream().flatMap(List::stream).toList();
        own.restore(replica, SimulatedCheckpoint.copy(all, replica));
      }
    }
  }
}
