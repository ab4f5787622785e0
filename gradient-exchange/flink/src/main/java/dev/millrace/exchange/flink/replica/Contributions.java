package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.source.TaskLink;
import java.util.Optional;

/** Has a replica contribute, and reports what came of it. */
final class Contributions {

  private final Replica replica;
  private final ReplicaSender sender;
  private final ReplicaMetrics metrics;
  private final TaskLink link;

  /** {@code link} is that with the replica's source. */
  Contributions(Replica replica, ReplicaSender sender, ReplicaMetrics metrics, TaskLink link) {
    this.replica = replica;
    this.sender = sender;
    this.metrics = metrics;
    this.link = link;
  }

  /** Contributes what was learned since the last contribution, in the blocks whose turn it is. */
  void make() {
    report(replica.contribute(sender::send));
  }

  /** Contributes what was learned since the last contribution, in all blocks. */
  void makeAll() {
    report(replica.contributeAll(sender::send));
  }

  /** All that is left, where none will follow. */
  void makeLast() {
    Optional<CoordinatorMessage> outcome = replica.contributeLast(sender::send);
    while (outcome.isPresent()) {
      report(outcome.get());
      outcome = replica.contributeLast(sender::send);
    }
  }

  /** Leaves out what no checkpoint may hold. */
  void refuseUnsound() {
    replica.refuseUnsound().ifPresent(this::report);
  }

  private void report(CoordinatorMessage outcome) {
    sender.send(
        outcome instanceof Announcement announcement
            ? announcement.withPending(link.pendingRecords())
            : outcome);
    if (outcome instanceof Refusal refusal) {
      sender.tellRefused(refusal);
    }
    metrics.contributed(replica, outcome);
  }
}
