package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.schedule.Schedule;
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
   * @param schedule of the job
   * @param blocks of the model
   * @param passedOver told of each other one, and why
   * @return empty if there is none
   */
  static Optional<SavedTraining> newest(
      List<SavedTraining> states,
      LogChain chain,
      RecordSet records,
      Schedule schedule,
      int blocks,
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
        requireFollowed(behind, schedule.waits());
        requireHeard(state, behind, schedule, blocks);
        int found = chain.placeOf(state.head().version());
        if (newest == null || found > place) {
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

  /**
   * Checks that each replica of a state had heard of its newest round before it went on to learn: a
   * rebuild has it know that round from the beginning.
   *
   * @throws UnusableLogException if one hadn't
   */
  static void requireHeard(SavedTraining state, LogChain behind, Schedule schedule, int blocks)
      throws IOException {
    if (behind.beginsWithARestore() || schedule.delay() > 0) {
      return;
    }
    long round = state.head().version().round();
    List<Contributed> underWay = Tail.of(state).underWay();
    for (var learner : Tail.learners(state).entrySet()) {
      Optional<Contributed> next =
          behind.contributions(learner.getKey()).filter(one -> !isAmong(underWay, one)).findFirst();
      if (next.isPresent()
          && new LateHead(round, blocks).isIn(learner.getValue().log(), next.get().log())) {
        throw new UnusableLogException(
            "Replica %s hadn't heard of round %s in it; take another one, or the start"
                .formatted(learner.getKey(), round));
      }
    }
  }

  private static boolean isAmong(List<Contributed> all, Contributed one) {
    return all.stream()
        .anyMatch(other -> other.replica() == one.replica() && other.sequence() == one.sequence());
  }

  private static void requireFollowed(LogChain behind, boolean waits) {
    if (!waits && !behind.beginsWithARestore()) {
      throw new UnusableLogException(
          "The job wasn't restored from it, and under its schedule only a restore can be followed");
    }
  }
}
