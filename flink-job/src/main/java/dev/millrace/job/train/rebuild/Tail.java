package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.savepoint.SavedTraining;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tells what was done behind the newest round of a savepoint.
 *
 * @param underWay contributions that wait for their round
 * @param pending what replicas have yet to contribute, by their numbers
 * @param done replicas whose input had ended
 */
record Tail(List<Contributed> underWay, SortedMap<Integer, String> pending, BitSet done) {

  /** Nothing was. */
  static final Tail NONE = new Tail(List.of(), new TreeMap<>(), new BitSet());

  static Tail of(SavedTraining saved) throws IOException {
    SortedMap<Integer, String> pending = new TreeMap<>();
    learners(saved).forEach((number, replica) -> pending.put(number, replica.log()));
    Coordinator coordinator = CoordinatorState.read(saved.coordinator()).coordinator();
    return new Tail(coordinator.loggedUnderWay(), pending, coordinator.done());
  }

  /** Returns replicas by their numbers, but those whose input had ended. */
  static SortedMap<Integer, SavedLearner> learners(SavedTraining saved) throws IOException {
    SortedMap<Integer, SavedLearner> learners = new TreeMap<>();
    for (var replica : saved.replicas().entrySet()) {
      if (!replica.getValue().list(ReplicaOperator.REPLICA_STATE).isEmpty()) {
        learners.put(replica.getKey(), SavedLearner.of(replica.getValue()));
      }
    }
    return learners;
  }

  /** Returns all logs. */
  List<String> logs() {
    List<String> logs = new ArrayList<>(pending.values());
    underWay.forEach(one -> logs.add(one.log()));
    return logs;
  }
}
