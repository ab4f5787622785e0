package dev.millrace.cli.models;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.PartitionProgress.Offsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one of two models has taken from a partition, learned or rejected, and the other hasn't.
 * Ledgers keep counts and bounds, so this is told only where it follows from them: where both began
 * at the same record, since a partition is taken in order, or where neither has a gap.
 *
 * @param topicId null where it isn't known
 * @param learnedA records that A has learned from
 * @param onlyA null if it can't be told
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LedgerDifference(
    String topic,
    String topicId,
    int partition,
    long learnedA,
    long learnedB,
    Records onlyA,
    Records onlyB) {

  /**
   * Records of a partition.
   *
   * @param first null where there are none
   * @param last null where there are none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Records(long count, Long first, Long last) {

    static final Records NONE = new Records(0, null, null);

    /** {@code more} are some. */
    private Records plus(Offsets more) {
      return count == 0
          ? new Records(more.count(), more.first(), more.last())
          : new Records(
              count + more.count(), Math.min(first, more.first()), Math.max(last, more.last()));
    }
  }

  /** Compares every partition that either of them knows. */
  static List<LedgerDifference> of(List<PartitionProgress> a, List<PartitionProgress> b) {
    Map<Partition, PartitionProgress[]> pairs = new TreeMap<>();
    a.forEach(entry -> pair(pairs, entry)[0] = entry);
    b.forEach(entry -> pair(pairs, entry)[1] = entry);
    List<LedgerDifference> differences = new ArrayList<>();
    for (PartitionProgress[] pair : pairs.values()) {
      PartitionProgress either = pair[0] == null ? pair[1] : pair[0];
      Records takenA = taken(pair[0]);
      Records takenB = taken(pair[1]);
      differences.add(
          new LedgerDifference(
              either.topic(),
              either.topicId(),
              either.partition(),
              learned(pair[0]),
              learned(pair[1]),
              only(takenA, takenB),
              only(takenB, takenA)));
    }
    return differences;
  }

  private static PartitionProgress[] pair(
      Map<Partition, PartitionProgress[]> pairs, PartitionProgress entry) {
    return pairs.computeIfAbsent(entry.place(), any -> new PartitionProgress[2]);
  }

  private static long learned(PartitionProgress entryOrNull) {
    return entryOrNull == null ? 0 : entryOrNull.learned().count();
  }

  private static Records taken(PartitionProgress entryOrNull) {
    if (entryOrNull == null) {
      return Records.NONE;
    }
    Records all = Records.NONE;
    for (Offsets part :
        Arrays.asList(
            entryOrNull.learned(),
            entryOrNull.rejected(),
            entryOrNull.heldOut(),
            entryOrNull.skipped())) {
      all = part == null || part.count() == 0 ? all : all.plus(part);
    }
    return all;
  }

  /** Returns the records of {@code ours} that aren't of {@code theirs}. */
  private static Records only(Records ours, Records theirs) {
    if (ours.count() == 0 || theirs.count() == 0) {
      return ours;
    }
    if (ours.first() > theirs.last() || ours.last() < theirs.first()) {
      return ours;
    }
    if (ours.first().equals(theirs.first())) {
      long more = ours.count() - theirs.count();
      return more <= 0 ? Records.NONE : new Records(more, theirs.last() + 1, ours.last());
    }
    if (!isDense(ours) || !isDense(theirs)) {
      return null;
    }
    long before = Math.max(0, theirs.first() - ours.first());
    long behind = Math.max(0, ours.last() - theirs.last());
    if (before + behind == 0) {
      return Records.NONE;
    }
    return new Records(
        before + behind,
        before > 0 ? ours.first() : Long.valueOf(theirs.last() + 1),
        behind > 0 ? ours.last() : Long.valueOf(theirs.first() - 1));
  }

  private static boolean isDense(Records records) {
    return records.count() == records.last() - records.first() + 1;
  }
}
