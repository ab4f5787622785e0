package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.job.train.TrainingSettings;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Combines the contributions of each process before they come to the model, as a job's gatherers
 * did. One stands for all of them.
 */
final class RebuiltGathering {

  private final Gatherer gatherer;

  /** {@code gatherer} has what waits. */
  RebuiltGathering(Gatherer gatherer) {
    this.gatherer = gatherer;
  }

  /**
   * Begins with what waits in a state.
   *
   * @param from empty where nothing waits
   * @param output takes what is combined
   */
  static RebuiltGathering begin(
      TrainingSettings settings, Optional<SavedTraining> from, Consumer<Part> output)
      throws IOException {
    Gatherer gatherer = new Gatherer(settings.replica().layout(), settings.aggregator(), output);
    if (from.isPresent()) {
      for (byte[] waiting : from.get().gathered()) {
        gatherer.restore(new DataInputStream(new ByteArrayInputStream(waiting)));
      }
    }
    return new RebuiltGathering(gatherer);
  }

  void add(Contribution contribution) {
    gatherer.add(contribution);
  }

  /** Combines the members of a round: those of each group, and each of the others alone. */
  void combine(ClosedRound round, List<BitSet> together) {
    List<ContributionId> alone = new ArrayList<>(members(round, member -> true));
    for (BitSet group : together) {
      List<ContributionId> members = members(round, group::get);
      alone.removeAll(members);
      gatherer.add(new GatherOrder(0, round.round(), members, List.of()));
    }
    // A state of a job that had yet to combine by process may have one in its blocks.
    gatherer.add(new GatherOrder(0, round.round(), List.of(), alone));
  }

  private static List<ContributionId> members(ClosedRound round, IntPredicate which) {
    return round.members().stream()
        .filter(member -> which.test(member.replica()))
        .map(member -> new ContributionId(member.replica(), member.sequence()))
        .toList();
  }
}
