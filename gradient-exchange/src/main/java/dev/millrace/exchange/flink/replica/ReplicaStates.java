package dev.millrace.exchange.flink.replica;

import dev.millrace.example.LabelLags;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * What a replica's task keeps in a checkpoint: the replica, the examples that wait, those that it
 * learns from again, the labels of records before, and the older model that it stays near. Of the
 * last each task gets what all had saved, since one that is new needs it, too.
 */
final class ReplicaStates {

  private final ByteStringState replicas;
  private final ByteStringState examples;
  private final Optional<ByteStringState> kept;

  /** Null where nothing is replayed: then checkpoints have no such state. */
  private final ByteStringState replayedOrNull;

  /** Null where no labels are features. */
  private final ByteStringState lagsOrNull;

  ReplicaStates(StateInitializationContext context, ReplicaSettings settings) throws Exception {
    replicas = ByteStringState.open(context, ReplicaOperator.REPLICA_STATE);
    examples = ByteStringState.open(context, ReplicaOperator.EXAMPLES_STATE);
    replayedOrNull =
        settings.replay().isOn()
            ? ByteStringState.open(context, ReplicaOperator.REPLAY_STATE)
            : null;
    lagsOrNull =
        settings.labelLags().areOn()
            ? ByteStringState.openUnion(context, ReplicaOperator.LAGS_STATE)
            : null;
    // One that a job before this kept is dropped where none is kept now: Flink would write what
    // each task got of it, again and again.
    boolean saved =
        context
            .getOperatorStateStore()
            .getRegisteredStateNames()
            .contains(ReplicaOperator.KEPT_STATE);
    kept =
        settings.attraction().isOn() || saved
            ? Optional.of(ByteStringState.openUnion(context, ReplicaOperator.KEPT_STATE))
            : Optional.empty();
  }

  /**
   * Continues from what a checkpoint gave to this task, and lets go of it.
   *
   * @param index number of the task
   * @param now as {@link System#nanoTime}
   */
  void restore(int index, Replica replica, MinibatchWindow window, LabelLags lags, long now)
      throws Exception {
    replica.restore(replicas.read());
    window.restore(examples.get(), now);
    if (replayedOrNull != null) {
      replica.replay().restore(replayedOrNull.get());
    }
    if (lagsOrNull != null) {
      lags.restore(lagsOrNull.get());
    }
    if (kept.isPresent() && replica.kept().isOn()) {
      replica.kept().restore(index, kept.get().read());
    }
    clear();
  }

  /**
   * Saves all of it for the checkpoint that is being taken.
   *
   * @param labels of records before, that this replica has to keep
   */
  void save(int index, Replica replica, MinibatchWindow window, List<byte[]> labels)
      throws Exception {
    replicas.defer(replica.save()::write);
    examples.set(window.save());
    if (replayedOrNull != null) {
      replayedOrNull.set(replica.replay().save());
    }
    if (lagsOrNull != null) {
      lagsOrNull.set(labels);
    }
    if (replica.kept().isOn()) {
      kept.orElseThrow().defer(replica.kept().save(index)::write);
    }
  }

  /** Lets go of what was saved, once the synchronous part of the checkpoint is over. */
  void clear() {
    replicas.clear();
    examples.clear();
    if (replayedOrNull != null) {
      replayedOrNull.clear();
    }
    if (lagsOrNull != null) {
      lagsOrNull.clear();
    }
    kept.ifPresent(ByteStringState::clear);
  }
}
