package dev.millrace.exchange.flink.replica;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.process.ReplicaReport;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Where each thing goes that a replica sends. Belongs to the operator's thread. */
final class ReplicaSender {

  private final Output<StreamRecord<BlockMessage>> output;
  private final ReplicaLink link;
  private final ReplicaMetrics metrics;
  private final FaultInjector faults;
  private final int index;

  ReplicaSender(
      Output<StreamRecord<BlockMessage>> output,
      ReplicaLink link,
      ReplicaMetrics metrics,
      FaultInjector faults,
      int index) {
    this.output = output;
    this.link = link;
    this.metrics = metrics;
    this.faults = faults;
    this.index = index;
  }

  /**
   * Sends to the gatherer of its process, or else to the block's shard; by the memory that both
   * share, if they are in one process.
   */
  void send(Contribution contribution) {
    faults.reach(Place.CONTRIBUTION, index);
    metrics.sent(contribution.payload().length());
    BlockMessage message = link.handOver(contribution);
    int gatherer = link.gatherer();
    if (gatherer == HeadDelivery.NO_GATHERER) {
      output.collect(new StreamRecord<>(message));
    } else {
      output.collect(
          ReplicaOutputs.GATHERED,
          new StreamRecord<>(ToGatherer.of(gatherer, link.home(), message)));
    }
  }

  /** Sends to the block's shard. */
  void send(Pull pull) {
    output.collect(new StreamRecord<>(pull));
  }

  void send(CoordinatorMessage message) {
    output.collect(ReplicaOutputs.COORDINATOR, new StreamRecord<>(message));
  }

  /**
   * Sends the dead letters of a refused contribution's records: one for each partition, since
   * single offsets aren't kept. Records that were rejected one by one have theirs already.
   */
  void tellRefused(Refusal refusal) {
    refusal
        .records()
        .entries()
        .forEach((partition, entry) -> tell(partition, entry.learned(), refusal.reason()));
  }

  private void tell(Partition partition, Span refused, String reason) {
    if (refused.count() == 0) {
      return;
    }
    String records =
        "%s records from offset %s to %s, left out together: "
            .formatted(refused.count(), refused.first(), refused.last());
    collect(RejectedRecord.withoutBytes(partition, refused.first(), records + reason));
  }

  /** Sends to where models are measured. */
  void send(HeldOutExample example) {
    output.collect(ReplicaOutputs.HELD_OUT, new StreamRecord<>(example));
  }

  /** Sends to metric records. */
  void send(LayersReport report) {
    output.collect(ReplicaOutputs.LAYERS, new StreamRecord<>(report));
  }

  /** Sends to metric records. */
  void send(ConfusionReport report) {
    output.collect(ReplicaOutputs.CONFUSION, new StreamRecord<>(report));
  }

  /** Sends to metric records. */
  void send(ReplicaReport report) {
    output.collect(ReplicaOutputs.REPORTS, new StreamRecord<>(report));
  }

  /** Sends to the dead-letter topic, if there is one. */
  void send(RejectedRecord rejected) {
    metrics.rejected();
    collect(rejected);
  }

  private void collect(RejectedRecord rejected) {
    output.collect(ReplicaOutputs.REJECTED, new StreamRecord<>(rejected));
  }
}
