package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.savepoint.SavedTraining;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was done behind the newest round of a savepoint.
 *
 * @param underWay contributions that wait for their round
 * @param pending what replicas have yet to contribute, by their numbers
 */
record Tail(List<Contributed> underWay, SortedMap<Integer, String> pending) {

  /** Nothing was. */
  static final Tail NONE = new Tail(List.of(), new TreeMap<>());

  static Tail of(SavedTraining saved) throws IOException {
    SortedMap<Integer, String> pending = new TreeMap<>();
    saved
        .replicas()
        .forEach((number, replica) -> pending.put(number, SavedLearner.of(replica).log()));
    return new Tail(
        CoordinatorState.read(saved.coordinator()).coordinator().loggedUnderWay(), pending);
  }

  /** Returns all logs. */
  List<String> logs() {
    List<String> logs = new ArrayList<>(pending.values());
    underWay.forEach(one -> logs.add(one.log()));
    return logs;
  }
}
