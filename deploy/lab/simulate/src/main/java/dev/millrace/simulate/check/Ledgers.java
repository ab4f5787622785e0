package dev.millrace.simulate.check;

import dev.millrace.model.Ledger;
import dev.millrace.simulate.job.Input;
import dev.millrace.snapshot.PartitionProgress;

/** Looks whether ledgers have each record once. */
final class Ledgers {

  private static final String LEDGER = "1 every record is in the ledger exactly once";

  private final Checks checks;
  private final Input input;
  private long lost;
  private long doubled;

  Ledgers(Checks checks, Input input) {
    this.checks = checks;
    this.input = input;
  }

  long lost() {
    return lost;
  }

  long doubled() {
    return doubled;
  }

  /** A checkpoint with that ledger is complete. */
  void completed(Ledger ledger) {
    checks.look(LEDGER);
    ledger.entries().forEach((partition, entry) -> prefix(partition.number(), entry.taken()));
  }

  /** The job has ended with that ledger. */
  void ended(Ledger ledger, boolean drained) {
    if (input.isStream()) {
      endedStream(ledger, drained);
    } else {
      endedPartitions(ledger, drained);
    }
  }

  /**
   * Each record of a partition at most once. Late contributions may be missing in between, so that
   * is no prefix.
   */
  void prefix(int partition, Ledger.Span taken) {
    long count = taken.count();
    if (count > taken.last() - taken.first() + 1) {
      doubled += count - (taken.last() - taken.first() + 1);
      throw new Violation(LEDGER, "of partition %s the ledger has %s".formatted(partition, taken));
    }
  }

  /** Returns what a model has taken of a partition. */
  static Ledger.Span taken(PartitionProgress partition) {
    return new Ledger.Entry(
            span(partition.learned()),
            span(partition.rejected()),
            span(partition.heldOut()),
            span(partition.skipped()))
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

  private void endedPartitions(Ledger ledger, boolean drained) {
    for (int p = 0; p < input.partitions(); p++) {
      Ledger.Entry entry = ledger.entries().get(Input.partition(p));
      Ledger.Span taken = entry == null ? Ledger.Span.EMPTY : entry.taken();
      requireFirst("partition " + p, taken, drained ? taken.count() : input.count(p));
    }
  }

  /** Records of a stream have the places that they are given when they are taken. */
  private void endedStream(Ledger ledger, boolean drained) {
    long sum = 0;
    for (var entry : ledger.entries().entrySet()) {
      Ledger.Span taken = entry.getValue().taken();
      sum += taken.count();
      requireFirst(entry.getKey().toString(), taken, taken.count());
    }
    long all = drained ? sum : input.records();
    lost += Math.max(0, all - sum);
    doubled += Math.max(0, sum - all);
    long found = sum;
    checks.require(
        LEDGER, found == all, () -> "the ledger has %s records, not %s".formatted(found, all));
  }

  private void requireFirst(String where, Ledger.Span taken, long count) {
    Ledger.Span all =
        count == 0
            ? Ledger.Span.EMPTY
            : new Ledger.Span(count, count * (count - 1) / 2, 0, count - 1);
    lost += Math.max(0, count - taken.count());
    doubled += Math.max(0, taken.count() - count);
    checks.require(
        LEDGER,
        taken.equals(all),
        () -> "of %s the ledger has %s, not %s".formatted(where, taken, all));
  }
}
