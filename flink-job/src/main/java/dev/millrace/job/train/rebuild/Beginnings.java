package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** States that a rebuild may begin at, in the place of the start of the job. */
final class Beginnings {

  private Beginnings() {}

  /**
   * Finds the newest one from which a chain can be followed without some records, and without those
   * that were forgotten on the way.
   *
   * @param waits whether the job's schedule has replicas wait for rounds
   * @param passedOver told of each other one, and why
   * @return empty if there is none
   */
  static Optional<SavedTraining> newest(
      List<SavedTraining> states,
      LogChain chain,
      RecordSet records,
      boolean waits,
      Consumer<String> passedOver)
      throws IOException {
    SavedTraining newest = null;
    int place = -1;
    for (SavedTraining state : states) {
      try {
        LogChain behind = chain.behind(state.head().version());
        RecordSet unknown = behind.forgottenLater();
        unknown.addAll(records);
        requireWithout(state, unknown);
        requireFollowed(behind, waits);
        int found = chain.placeOf(state.head().version());
        if (found > place) {
          newest = state;
          place = found;
        }
      } catch (UnusableLogException e) {
        passedOver.accept("%s isn't begun at. %s".formatted(state.path(), e.getMessage()));
      }
    }
    return Optional.ofNullable(newest);
  }

  /**
   * Checks that a state knows nothing of some records.
   *
   * @throws UnusableLogException if it may have learned one
   */
  static void requireWithout(SavedTraining state, RecordSet forgotten) throws IOException {
    Ledger taken = state.taken();
    for (RecordRun run : forgotten.runs()) {
      for (var entry : taken.entries().entrySet()) {
        Partition partition = entry.getKey();
        if (partition.topic().equals(run.topic())
            && partition.number() == run.partition()
            && entry.getValue().taken().last() >= run.first()) {
          throw new UnusableLogException(
              "%s may have learned record %s of %s; take an older one"
                  .formatted(state.path(), run.first(), partition));
        }
      }
    }
  }

  private static void requireFollowed(LogChain behind, boolean waits) {
    if (!waits && !behind.beginsWithARestore()) {
      throw new UnusableLogException(
          "The job wasn't restored from it, and under its schedule only a restore can be followed");
    }
  }
}
