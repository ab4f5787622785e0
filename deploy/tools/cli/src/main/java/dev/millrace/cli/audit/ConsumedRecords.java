package dev.millrace.cli.audit;

import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;

/**
 * The records that a job has taken from one partition.
 *
 * @param learned those that its model has learned from
 * @param rejected those that were no example, or that a refused contribution had been made of
 * @param heldOut those that the model is measured by, and never learns from
 * @param skipped those that said nothing to learn from, such as deletes
 * @param underWay those that replicas had learned from or kept waiting, on the way to the model
 */
public record ConsumedRecords(
    Partition partition, Span learned, Span rejected, Span heldOut, Span skipped, Span underWay) {

  /** All of them. */
  public Span all() {
    return learned.plus(rejected).plus(heldOut).plus(skipped).plus(underWay);
  }
}
