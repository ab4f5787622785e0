package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.ByteStringCopies;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import java.io.DataInputStream;
import java.util.Optional;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * What a replica's task keeps in a checkpoint: the replica, the examples that wait, those that it
 * learns from again, and the older model that it stays near. The labels of records before are kept
 * with the partitions that they are of, by the source.
 *
 * <p>None of it is a union list, see {@link ByteStringCopies}: replicas may finish one by one.
 */
final class ReplicaStates {

  private final ByteStringState replicas;
  private final ByteStringState examples;

  /** Empty where nothing is replayed: then checkpoints have no such state. */
  private final Optional<ByteStringState> replayed;

  /** Empty where no older model is kept. */
  private final Optional<ByteStringCopies> kept;

  /**
   * Opens what the settings ask for, and what the checkpoint has of a job that asked for more: what
   * isn't opened Flink would write again and again.
   */
  ReplicaStates(StateInitializationContext context, ReplicaSettings settings) throws Exception {
    OperatorStateStore saved = context.getOperatorStateStore();
    replicas = ByteStringState.open(context, ReplicaOperator.REPLICA_STATE);
    examples = ByteStringState.open(context, ReplicaOperator.EXAMPLES_STATE);
    replayed =
        settings.replay().isOn()
                || saved.getRegisteredStateNames().contains(ReplicaOperator.REPLAY_STATE)
            ? Optional.of(ByteStringState.open(context, ReplicaOperator.REPLAY_STATE))
            : Optional.empty();
    kept = openCopies(context, ReplicaOperator.KEPT_STATE, settings.attraction().isOn());
  }

  private static Optional<ByteStringCopies> openCopies(
      StateInitializationContext context, String name, boolean isOn) throws Exception {
    boolean saved =
        context.getOperatorStateStore().getRegisteredBroadcastStateNames().contains(name);
    return isOn || saved ? Optional.of(ByteStringCopies.open(context, name)) : Optional.empty();
  }

  /**
   * Continues from what a checkpoint gave to this task, and lets go of it.
   *
   * @param index number of the task
   * @param now as {@link System#nanoTime}
   */
  void restore(int index, Replica replica, MinibatchWindow window, long now) throws Exception {
    replica.restore(replicas.read());
    window.restore(examples.get(), now);
    if (replayed.isPresent()) {
      replica.replay().restore(replayed.get().get());
    }
    if (kept.isPresent() && replica.kept().isOn()) {
      Optional<DataInputStream> older = kept.get().read(index);
      if (older.isPresent()) {
        replica.kept().restore(index, older.get());
      }
    }
    clear();
  }

  /** Saves all of it for the checkpoint that is being taken. */
  void save(int index, Replica replica, MinibatchWindow window) throws Exception {
    replicas.defer(replica.save()::write);
    examples.set(window.save());
    if (replayed.isPresent()) {
      replayed.get().set(replica.replay().save());
    }
    if (replica.kept().isOn()) {
      kept.orElseThrow().defer(index, replica.kept().save(index)::write);
    }
  }

  /** Lets go of what was saved, once the synchronous part of the checkpoint is over. */
  void clear() {
    replicas.clear();
    examples.clear();
    replayed.ifPresent(ByteStringState::clear);
    kept.ifPresent(ByteStringCopies::clear);
  }
}
