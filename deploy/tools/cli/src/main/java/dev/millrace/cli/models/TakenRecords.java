package dev.millrace.cli.models;

import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.model.Ledger;
import dev.millrace.model.Ledger.Entry;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.PartitionProgress.Offsets;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Ledgers as an audit takes them. */
final class TakenRecords {

  private static final Entry NOTHING = new Entry(Span.EMPTY, Span.EMPTY);

  private TakenRecords() {}

  /**
   * Every partition of either.
   *
   * @param underWay whatever their fate is
   */
  static List<ConsumedRecords> of(Ledger model, Ledger underWay) {
    SortedSet<Partition> partitions = new TreeSet<>(model.entries().keySet());
    partitions.addAll(underWay.entries().keySet());
    return partitions.stream()
        .map(
            partition -> {
              Entry ours = model.entries().getOrDefault(partition, NOTHING);
              return new ConsumedRecords(
                  partition,
                  ours.learned(),
                  ours.rejected(),
                  ours.heldOut(),
                  ours.skipped(),
                  underWay.entries().getOrDefault(partition, NOTHING).taken());
            })
        .toList();
  }

  /** Returns the records of a model that nothing is under way to any more. */
  static List<ConsumedRecords> of(List<PartitionProgress> ledger) {
    return ledger.stream()
        .map(
            entry ->
                new ConsumedRecords(
                    entry.place(),
                    span(entry.learned()),
                    span(entry.rejected()),
                    span(entry.heldOut()),
                    span(entry.skipped()),
                    Span.EMPTY))
        .toList();
  }

  private static Span span(Offsets offsetsOrNull) {
    return offsetsOrNull == null || offsetsOrNull.count() == 0
        ? Span.EMPTY
        : new Span(
            offsetsOrNull.count(),
            offsetsOrNull.sum(),
            offsetsOrNull.first(),
            offsetsOrNull.last());
  }
}
