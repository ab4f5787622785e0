package dev.millrace.snapshot.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Ledger;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.Map;
import java.util.TreeMap;

/** Whether a model has records of a topic exactly once, by what its ledger says. */
public final class LedgerCheck {

  private LedgerCheck() {}

  /** What a model has taken from a partition, learned or rejected. */
  public static Ledger.Span taken(SnapshotDescription model, String topic, int partition) {
    return model.ledger().stream()
        .filter(entry -> entry.topic().equals(topic) && entry.partition() == partition)
        .map(LedgerCheck::taken)
        .findFirst()
        .orElse(Ledger.Span.EMPTY);
  }

  /**
   * Asserts that a model has taken the first {@code counts[p]} records of each partition p exactly
   * once, learned or rejected.
   */
  public static void requireAll(SnapshotDescription model, String topic, long... counts) {
    for (int partition = 0; partition < counts.length; partition++) {
      requireFirst(model, topic, partition, counts[partition]);
    }
  }

  /**
   * Asserts that a model has taken the first records of each partition exactly once, however many:
   * those of a partition are learned in their order.
   *
   * @return how many of each partition that it has any of
   */
  public static Map<Integer, Long> requirePrefix(SnapshotDescription model, String topic) {
    Map<Integer, Long> counts = new TreeMap<>();
    for (PartitionProgress entry : model.ledger()) {
      if (entry.topic().equals(topic)) {
        long count = taken(model, topic, entry.partition()).count();
        requireFirst(model, topic, entry.partition(), count);
        counts.put(entry.partition(), count);
      }
    }
    return counts;
  }

  private static void requireFirst(
      SnapshotDescription model, String topic, int partition, long count) {
    assertThat(taken(model, topic, partition))
        .as("ledger of %s-%d in model %s", topic, partition, model.version())
        .isEqualTo(
            count == 0
                ? Ledger.Span.EMPTY
                : new Ledger.Span(count, count * (count - 1) / 2, 0, count - 1));
  }

  private static Ledger.Span taken(PartitionProgress entry) {
    return new Ledger.Entry(
            span(entry.learned()),
            span(entry.rejected()),
            span(entry.heldOut()),
            span(entry.skipped()))
        .taken();
  }

  private static Ledger.Span span(PartitionProgress.Offsets offsetsOrNull) {
    return offsetsOrNull == null || offsetsOrNull.count() == 0
        ? Ledger.Span.EMPTY
        : new Ledger.Span(
            offsetsOrNull.count(),
            offsetsOrNull.sum(),
            offsetsOrNull.first(),
            offsetsOrNull.last());
  }
}
