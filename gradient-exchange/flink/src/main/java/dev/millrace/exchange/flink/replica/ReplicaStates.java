package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.ByteStringCopies;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * What a replica's task keeps in a checkpoint: the replica, the examples that wait, and what hooks
 * keep. The labels of records before are kept with the partitions that they are of, by the source.
 *
 * <p>None of it is a union list, see {@link ByteStringCopies}: replicas may finish one by one.
 */
final class ReplicaStates {

  private final ByteStringState replicas;
  private final ByteStringState examples;
  private final HookStates hooks;

  /** Opens all of it. */
  ReplicaStates(StateInitializationContext context, List<ReplicaHook> hooks) throws Exception {
    this.replicas = ByteStringState.open(context, ReplicaOperator.REPLICA_STATE);
    this.examples = ByteStringState.open(context, ReplicaOperator.EXAMPLES_STATE);
    List<HookState> states =
        hooks.stream().map(ReplicaHook::state).flatMap(Optional::stream).toList();
    this.hooks = HookStates.open(context, states);
  }

  /**
   * Continues from what a checkpoint gave to this task, and lets go of it.
   *
   * @param index number of the task
   * @param now as {@link System#nanoTime}
   */
  void restore(int index, Replica replica, MinibatchWindow window, long now) throws Exception {
    GivenHooks given = hooks.read(index);
    replica.restore(replicas.read(), given.dealt());
    window.restore(examples.get(), now);
    given.restore(index);
    clear();
  }

  /** Saves all of it for the checkpoint that is being taken. */
  void save(int index, Replica replica, MinibatchWindow window) throws Exception {
    replicas.defer(replica.save()::write);
    examples.set(window.save());
    hooks.save(index, replica.log());
  }

  /** Lets go of what was saved, once the synchronous part of the checkpoint is over. */
  void clear() {
    replicas.clear();
    examples.clear();
    hooks.clear();
  }
}
