package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.util.List;
import java.util.Objects;

/**
 * The ledger's entry of one partition.
 *
 * @param topicId what tells the topic from another one of its name; null where it isn't known
 * @param heldOut null where no record was held out of training
 * @param skipped null where no record was skipped
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PartitionProgress(
    String topic,
    String topicId,
    int partition,
    Offsets learned,
    Offsets rejected,
    Offsets heldOut,
    Offsets skipped) {

  public PartitionProgress {
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(learned, "learned");
    Objects.requireNonNull(rejected, "rejected");
  }

  /**
   * Offsets of one partition that had one fate.
   *
   * @param sum of the offsets, modulo 2<sup>64</sup>
   * @param first null where there are none
   * @param last null where there are none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Offsets(long count, long sum, Long first, Long last) {

    static Offsets of(Ledger.Span span) {
      return span.count() == 0
          ? new Offsets(0, 0, null, null)
          : new Offsets(span.count(), span.offsetSum(), span.first(), span.last());
    }
  }

  /** The entries of a ledger, in the order of its partitions. */
  public static List<PartitionProgress> of(Ledger ledger) {
    return ledger.entries().entrySet().stream()
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Returns which partition it is of. */
  public Partition place() {
    return new Partition(topic, topicId == null ? Partition.NO_ID : topicId, partition);
  }

  private static Offsets orNull(Ledger.Span span) {
    return span.count() == 0 ? null : Offsets.of(span);
  }

  private static PartitionProgress of(Partition partition, Ledger.Entry entry) {
    return new PartitionProgress(
        partition.topic(),
        partition.topicId().equals(Partition.NO_ID) ? null : partition.topicId(),
        partition.number(),
        Offsets.of(entry.learned()),
        Offsets.of(entry.rejected()),
        orNull(entry.heldOut()),
        orNull(entry.skipped()));
  }
}
