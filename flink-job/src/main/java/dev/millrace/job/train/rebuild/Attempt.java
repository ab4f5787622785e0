package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.UnusableLogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * The replicas of one attempt of the job, and those of attempts before it whose contributions may
 * yet come, or from whose states these go on.
 *
 * <p>Not thread-safe.
 */
final class Attempt implements AutoCloseable {

  /** Holds what a replica had before a restore, and what came of what it did until then. */
  record Before(SavedLearner saved, RebuiltReplica.Made made) {}

  /** Holds the last that a replica did before a restore, and what a checkpoint had of it then. */
  private record Ended(String log, SavedLearner saved) {}

  private final Lanes lanes;
  private final long generation;

  /** Null for one that nothing more is asked of. */
  private final List<RebuiltReplica> replicas = new ArrayList<>();

  private final Map<Integer, Ended> ended = new HashMap<>();
  private Attempt beforeOrNull;

  /**
   * @param beforeOrNull null for the first
   * @param count how many replicas it has
   * @param make makes one of a number for this attempt
   */
  Attempt(
      Lanes lanes,
      Attempt beforeOrNull,
      long generation,
      int count,
      BiFunction<Attempt, Integer, RebuiltReplica> make) {
    this.lanes = lanes;
    this.beforeOrNull = beforeOrNull;
    this.generation = generation;
    for (int number = 0; number < count; number++) {
      replicas.add(make.apply(this, number));
    }
  }

  List<RebuiltReplica> replicas() {
    return replicas;
  }

  /** Returns the replica that made a contribution in that generation. */
  RebuiltReplica replica(int number, long ofGeneration) {
    Attempt attempt = this;
    while (attempt != null && attempt.generation != ofGeneration) {
      attempt = attempt.beforeOrNull;
    }
    if (attempt == null || number >= attempt.replicas.size()) {
      throw new UnusableLogException(
          "A contribution is of replica %s of generation %s, which there is none of"
              .formatted(number, ofGeneration));
    }
    RebuiltReplica replica = attempt.replicas.get(number);
    if (replica == null) {
      throw new UnusableLogException(
          "Another contribution of replica %s of generation %s comes after a restore that it isn't in"
              .formatted(number, ofGeneration));
    }
    return replica;
  }

  /**
   * Has what was done before a restore done by the replica that did it, if it hasn't yet.
   *
   * @return what a checkpoint had of it then
   */
  Before before(int number, String log) {
    if (beforeOrNull == null) {
      throw new UnusableLogException(
          "Replica %s goes on from '%s', and the attempt before isn't there"
              .formatted(number, log));
    }
    return beforeOrNull.end(number, log);
  }

  /** Several may go on from a replica, and it has done the last of it once. */
  private Before end(int number, String log) {
    Ended known = ended.get(number);
    if (known == null) {
      RebuiltReplica replica = replica(number, generation);
      return lanes.on(
          number,
          () -> {
            RebuiltReplica.Made made = replica.play(log);
            SavedLearner saved = replica.save();
            Before before = new Before(saved, made);
            end(number, new Ended(log, saved));
            return before;
          });
    }
    if (!known.log().equals(log)) {
      throw new UnusableLogException(
          "Before a restore replica %s had done '%s', and '%s'"
              .formatted(number, known.log(), log));
    }
    return new Before(known.saved(), RebuiltReplica.Made.NOTHING);
  }

  /** A replica has nothing more to do: its model is let go of. */
  private void end(int number, Ended last) {
    ended.put(number, last);
    replicas.set(number, null).close();
  }

  /** Has replicas that are as a savepoint has them go on from there. */
  void wake(long round, boolean waits) {
    for (int number = 0; number < replicas.size(); number++) {
      RebuiltReplica replica = replicas.get(number);
      lanes.run(number, () -> replica.wake(round, waits));
    }
  }

  /**
   * Whether each of some contributions comes of what its replica alone does: one that takes the
   * place of another has that do something first.
   */
  boolean areApart(List<Contributed> members) {
    return members.stream()
        .allMatch(member -> replica(member.replica(), member.generation()).hasBegun());
  }

  /**
   * Lets go of replicas of attempts before that nothing is asked of any more.
   *
   * @param place behind which it would be asked
   */
  void prune(AskedReplicas asked, int place) {
    if (beforeOrNull != null) {
      beforeOrNull.prune(asked, place);
      beforeOrNull.letGo(asked, place);
      beforeOrNull = beforeOrNull.isOver() ? beforeOrNull.beforeOrNull : beforeOrNull;
    }
  }

  private void letGo(AskedReplicas asked, int place) {
    for (int number = 0; number < replicas.size(); number++) {
      if (!asked.isAskedBehind(place, generation, number)) {
        ended.remove(number);
        RebuiltReplica last = replicas.set(number, null);
        if (last != null) {
          last.close();
        }
      }
    }
  }

  private boolean isOver() {
    return ended.isEmpty() && replicas.stream().allMatch(Objects::isNull);
  }

  @Override
  public void close() {
    replicas.stream().filter(Objects::nonNull).forEach(RebuiltReplica::close);
    if (beforeOrNull != null) {
      beforeOrNull.close();
    }
  }
}
