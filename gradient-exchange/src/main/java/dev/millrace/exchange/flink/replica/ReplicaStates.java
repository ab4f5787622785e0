package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import org.apache.flink.runtime.state.StateInitializationContext;

/** What a replica's task keeps in a checkpoint: the replica, and the examples that wait. */
final class ReplicaStates {

  private final ByteStringState replicas;
  private final ByteStringState examples;

  ReplicaStates(StateInitializationContext context) throws Exception {
    replicas = ByteStringState.open(context, ReplicaOperator.REPLICA_STATE);
    examples = ByteStringState.open(context, ReplicaOperator.EXAMPLES_STATE);
  }

  /**
   * Continues from what a checkpoint gave to this task, and lets go of it.
   *
   * @param now as {@link System#nanoTime}
   */
  void restore(Replica replica, MinibatchWindow window, long now) throws Exception {
    replica.restore(replicas.read());
    window.restore(examples.get(), now);
    clear();
  }

  /** Saves both for the checkpoint that is being taken. */
  void save(Replica replica, MinibatchWindow window) throws Exception {
    replicas.defer(replica.save()::write);
    examples.set(window.save());
  }

  /** Lets go of what was saved, once the synchronous part of the checkpoint is over. */
  void clear() {
    replicas.clear();
    examples.clear();
  }
}
