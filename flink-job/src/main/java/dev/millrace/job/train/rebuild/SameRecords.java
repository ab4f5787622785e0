package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.Ledger;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Checks that a state which is made again has taken the records that the one before it has, of
 * whatever fate. A log in which another job wrote, too, or other options than the job had, would
 * give another model, and nothing else would tell.
 */
final class SameRecords {

  private SameRecords() {}

  /**
   * Checks that topics are those that a state has records of.
   *
   * @param saved records of the state
   * @param known those of them that nobody reads again
   * @param ids gives the id that a topic of a name has now; empty where nobody says it
   * @throws UnusableLogException if a topic was made again
   */
  static void requireTopics(Ledger saved, Ledger known, UnaryOperator<String> ids) {
    Map<String, String> present = new HashMap<>();
    saved
        .entries()
        .forEach(
            (partition, entry) -> {
              if (!partition.topicId().isEmpty() && !entry.equals(known.entries().get(partition))) {
                requireTopic(partition, present.computeIfAbsent(partition.topic(), ids));
              }
            });
  }

  private static void requireTopic(Partition partition, String id) {
    if (!id.isEmpty() && !id.equals(partition.topicId())) {
      throw new UnusableLogException(
          ("The model has records of the topic '%s' whose id was %s, and the one of that name has the id"
                  + " %s: it was deleted and made again, and its first records are gone. Begin at a"
                  + " state that has them all, by --from, or train a new model")
              .formatted(partition.topic(), partition.topicId(), id));
    }
  }

  /**
   * Checks that one has the other's records.
   *
   * @param saved all records of the state before it
   * @param made all of the one that was made
   * @param forgotten records that it was made without
   * @param someEnded whether the input of a replica has ended: no log tells what that rejected
   *     behind its last contribution
   * @throws UnusableLogException if it has others, naming a partition
   */
  static void require(Ledger saved, Ledger made, RecordSet forgotten, boolean someEnded) {
    SortedMap<Partition, Taken> before = byName(saved);
    SortedMap<Partition, Taken> after = byName(made);
    Set<Partition> all = new TreeSet<>(before.keySet());
    all.addAll(after.keySet());
    for (Partition partition : all) {
      Taken had = before.getOrDefault(partition, Taken.NOTHING);
      Taken has = after.getOrDefault(partition, Taken.NOTHING);
      long mayLack = someEnded ? had.unlearned() + count(forgotten, partition) : 0;
      if (!has.isOf(had, mayLack)) {
        throw new UnusableLogException(
            ("The state has taken %s records of %s, whose offsets add up to %s, and what was made of the"
                    + " log in its place %s, which add up to %s. So the log tells of another job,"
                    + " too, or the job had other options. Nothing is written: take the log and"
                    + " the options of the job, or begin at a later state, by --from")
                .formatted(had.count(), partition, had.offsets(), has.count(), has.offsets()));
      }
    }
  }

  /** Topics that had one name count as one: a log has names alone. */
  private static SortedMap<Partition, Taken> byName(Ledger ledger) {
    SortedMap<Partition, Taken> taken = new TreeMap<>();
    ledger
        .entries()
        .forEach(
            (partition, entry) ->
                taken.merge(
                    new Partition(partition.topic(), partition.number()),
                    Taken.of(entry),
                    Taken::plus));
    return taken;
  }

  private static long count(RecordSet records, Partition partition) {
    return records.runs().stream()
        .filter(
            run -> run.topic().equals(partition.topic()) && run.partition() == partition.number())
        .mapToLong(RecordRun::count)
        .sum();
  }

  /**
   * Counts what was taken from a partition.
   *
   * @param unlearned how many of them were not learned
   */
  private record Taken(long count, long offsets, long unlearned) {

    static final Taken NOTHING = new Taken(0, 0, 0);

    static Taken of(Ledger.Entry entry) {
      Span all = entry.taken();
      return new Taken(all.count(), all.offsetSum(), all.count() - entry.learned().count());
    }

    Taken plus(Taken more) {
      return new Taken(count + more.count, offsets + more.offsets, unlearned + more.unlearned);
    }

    boolean isOf(Taken other, long mayLack) {
      long lacks = other.count - count;
      return lacks == 0 ? offsets == other.offsets : lacks > 0 && lacks <= mayLack;
    }
  }
}
