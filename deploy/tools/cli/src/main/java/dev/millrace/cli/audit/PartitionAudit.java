package dev.millrace.cli.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.history.HistoryLines;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.util.Locale;

/**
 * One partition: what was taken of it, beside what it holds.
 *
 * @param topicId of the topic that records were taken of; null where that isn't known
 * @param heldOut records that the model is measured by; null where there are none
 * @param skipped records that said nothing to learn from; null where there are none
 * @param first offset of the first record that was taken
 * @param last offset of the last record that was taken
 * @param inTopic records that the partition holds between them
 * @param missing how many of these were never taken, at least
 * @param doubled how many were taken once more, at least
 * @param offset of the record that is missing or doubled, if it is the only one; null where counts
 *     and sums don't point to one
 * @param reason what is wrong, or why nothing can be told; null where it is complete
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PartitionAudit(
    String topic,
    String topicId,
    int partition,
    long learned,
    long rejected,
    Long heldOut,
    Long skipped,
    long underWay,
    Long first,
    Long last,
    long inTopic,
    long missing,
    long doubled,
    Long offset,
    Finding finding,
    String reason) {

  /** Returns how many records were taken, whatever became of them. */
  public long taken() {
    return learned
        + rejected
        + (heldOut == null ? 0 : heldOut)
        + (skipped == null ? 0 : skipped)
        + underWay;
  }

  /**
   * What a partition holds, as far as it matters here.
   *
   * @param records those between the first and the last that were taken, as far as they are there
   * @param beginning offset of the oldest record that is left
   * @param end offset behind the newest
   * @param compacted whether records may have been removed in between
   * @param topicId of the topic that has the name; empty where that isn't known
   */
  public record Held(Span records, long beginning, long end, boolean compacted, String topicId) {

    private boolean isOfAnother(String taken) {
      return !taken.isEmpty() && !topicId.isEmpty() && !taken.equals(topicId);
    }
  }

  /**
   * Compares.
   *
   * @param heldOrNull null where there is no such partition
   */
  static PartitionAudit of(ConsumedRecords taken, Held heldOrNull) {
    Span all = taken.all();
    if (all.count() == 0) {
      return found(taken, 0, 0, 0, null, Finding.COMPLETE, null);
    }
    if (heldOrNull == null) {
      boolean isFile = HistoryLines.isFile(taken.partition());
      return unknown(taken, 0, isFile ? "the file isn't here" : "there is no such partition");
    }
    if (heldOrNull.isOfAnother(taken.partition().topicId())) {
      return unknown(
          taken,
          0,
          "the topic was deleted and made again, and has the id %s now"
              .formatted(heldOrNull.topicId()));
    }
    long inTopic = heldOrNull.records().count();
    if (heldOrNull.end() <= all.last()) {
      return unknown(
          taken,
          inTopic,
          "it ends before offset %s: is it the same topic?".formatted(heldOrNull.end()));
    }
    if (heldOrNull.beginning() > all.first()) {
      return ofRest(
          taken,
          inTopic,
          "records before offset %s have been deleted".formatted(heldOrNull.beginning()));
    }
    return heldOrNull.compacted()
        ? ofRest(taken, inTopic, "it is compacted: what was taken may be gone by now")
        : ofWhole(taken, heldOrNull.records());
  }

  private static PartitionAudit ofWhole(ConsumedRecords taken, Span held) {
    Span all = taken.all();
    long more = all.count() - held.count();
    // Modulo 2^64, like the sums.
    long sumOfMore = all.offsetSum() - held.offsetSum();
    if (more == 0 && sumOfMore == 0) {
      return found(taken, held.count(), 0, 0, null, Finding.COMPLETE, null);
    }
    if (more == 0) {
      return found(
          taken,
          held.count(),
          1,
          1,
          null,
          Finding.WRONG,
          "some records are missing, and as many were taken twice");
    }
    long offset = more > 0 ? sumOfMore : -sumOfMore;
    boolean isOne = Math.abs(more) == 1 && offset >= all.first() && offset <= all.last();
    String which = isOne ? ": offset %s, if it is the only one".formatted(offset) : "";
    return found(
        taken,
        held.count(),
        Math.max(0, -more),
        Math.max(0, more),
        isOne ? offset : null,
        Finding.WRONG,
        more > 0
            ? String.format(Locale.ROOT, "%,d taken twice%s", more, which)
            : String.format(Locale.ROOT, "%,d missing%s", -more, which));
  }

  /**
   * A record that was taken may be gone by now; one that is there must have been taken. A ledger
   * without gaps is complete whatever is there.
   *
   * @param reason why nothing can be told of another, unless it is wrong
   */
  private static PartitionAudit ofRest(ConsumedRecords taken, long inTopic, String reason) {
    Span all = taken.all();
    if (hasEachOffsetOnce(all)) {
      return found(taken, inTopic, 0, 0, null, Finding.COMPLETE, null);
    }
    long missing = Math.max(0, inTopic - all.count());
    long doubled = Math.max(0, all.count() - offsets(all));
    if (missing > 0 || doubled > 0) {
      return found(
          taken,
          inTopic,
          missing,
          doubled,
          null,
          Finding.WRONG,
          missing > 0
              ? String.format(Locale.ROOT, "%,d missing", missing)
              : String.format(Locale.ROOT, "%,d taken twice", doubled));
    }
    return unknown(taken, inTopic, reason);
  }

  private static boolean hasEachOffsetOnce(Span all) {
    long offsets = offsets(all);
    long ends = all.first() + all.last();
    // Modulo 2^64, like the sum: what is halved is even.
    long sum = offsets % 2 == 0 ? offsets / 2 * ends : ends / 2 * offsets;
    return all.count() == offsets && all.offsetSum() == sum;
  }

  private static long offsets(Span all) {
    return all.last() - all.first() + 1;
  }

  private static PartitionAudit unknown(ConsumedRecords taken, long inTopic, String reason) {
    return found(taken, inTopic, 0, 0, null, Finding.UNKNOWN, reason);
  }

  private static PartitionAudit found(
      ConsumedRecords taken,
      long inTopic,
      long missing,
      long doubled,
      Long offset,
      Finding finding,
      String reason) {
    Span all = taken.all();
    return new PartitionAudit(
        taken.partition().topic(),
        taken.partition().topicId().equals(Partition.NO_ID) ? null : taken.partition().topicId(),
        taken.partition().number(),
        taken.learned().count(),
        taken.rejected().count(),
        countOrNull(taken.heldOut()),
        countOrNull(taken.skipped()),
        taken.underWay().count(),
        all.count() == 0 ? null : all.first(),
        all.count() == 0 ? null : all.last(),
        inTopic,
        missing,
        doubled,
        offset,
        finding,
        reason);
  }

  private static Long countOrNull(Span span) {
    return span.count() == 0 ? null : span.count();
  }
}
