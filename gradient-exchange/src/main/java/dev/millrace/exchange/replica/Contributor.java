package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.ValueBounds;
import dev.millrace.exchange.codec.ContributionEncoder;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.ContributionFacts;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.Ledger;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Contributes what a replica has learned, or refuses to and goes back to the global model.
 *
 * <p>Belongs to one thread.
 */
final class Contributor {

  private final ReplicaParts replica;
  private final ContributionCheck check;
  private final ContributionEncoder encoder;
  private final FragmentTurns turns;

  /** {@code encoder} is that of the replica's vector. */
  Contributor(
      ReplicaParts replica,
      ContributionCheck check,
      ContributionEncoder encoder,
      FragmentTurns turns) {
    this.replica = replica;
    this.check = check;
    this.encoder = encoder;
    this.turns = turns;
  }

  /**
   * Contributes all that was learned since the last contribution, if it may be, in the blocks whose
   * turn it is.
   *
   * @param round that it is made in
   * @param out receives the change, block by block
   * @return an announcement, or a refusal
   */
  CoordinatorMessage contribute(long round, Consumer<Contribution> out) {
    return contribute(round, turns.next(round, replica.progress().weights()), false, out);
  }

  /**
   * Contributes all that was learned since the last contribution, if it may be, in all blocks.
   *
   * @param last whether none follows, so that nothing is kept for later
   */
  CoordinatorMessage contributeAll(long round, boolean last, Consumer<Contribution> out) {
    return contribute(round, Fragment.WHOLE, last, out);
  }

  private CoordinatorMessage contribute(
      long round, Fragment covered, boolean last, Consumer<Contribution> out) {
    PhaseClock clock = replica.clock();
    long start = clock.now();
    Optional<String> farAway = check.featuresFarAway();
    if (farAway.isPresent()) {
      return refuse(farAway.get(), round);
    }
    replaceLost();
    encoder.learned(replica.job().now().examples());
    PendingContribution progress = replica.progress();
    Optional<Payload[]> change = replica.vector().encode(check.mostChange(round), last, covered);
    if (change.isEmpty()) {
      return refuse(ContributionCheck.DIVERGES, round);
    }
    long sequence = replica.contributions().next();
    long bytes = send(change.get(), sequence, out);
    replica.contributions().contributed(covered);
    replica.job().contributed(sequence);
    replica.hooks().contributed();
    replica.standardizer().contributed(sequence, progress.statistics());
    clock.encoded(start);
    Announcement announcement =
        new Announcement(
            replica.index(),
            sequence,
            covered,
            progress.ofContribution(replica.model().steps().ofUpdater(), covered),
            clock.take(progress.steps()),
            new ContributionFacts(
                bytes, replica.contributions().staleness(), ContributionFacts.UNKNOWN));
    clock.sent();
    progress.contributed(covered, replica.vector()::hasResidual);
    return announcement;
  }

  /** Sends a change and returns how many bytes it was. */
  private long send(Payload[] change, long sequence, Consumer<Contribution> out) {
    long bytes = 0;
    for (int b = 0; b < change.length; b++) {
      if (change[b] != null) {
        double weight = replica.progress().contributionWeight(b);
        bytes += change[b].length();
        out.accept(new Contribution(b, replica.index(), sequence, weight, change[b]));
      }
    }
    return bytes;
  }

  /** Refuses all that was learned since the last contribution if it may not be kept. */
  Optional<CoordinatorMessage> refuseUnsound(long round) {
    replaceLost();
    return check
        .featuresFarAway()
        .or(() -> check.explosion(round))
        .map(reason -> refuse(reason, round));
  }

  /** One member of a population that exploded is no reason to refuse what the others learned. */
  private void replaceLost() {
    if (replica.progress().steps() > 0) {
      replica.model().replaceLost(ValueBounds.GREATEST);
    }
  }

  /** Leaves out all that was learned since the last contribution. */
  private Refusal refuse(String reason, long round) {
    PendingContribution progress = replica.progress();
    Ledger records = progress.ledger();
    // The next contribution's times are of its own steps, and so is its interval.
    replica.clock().take(progress.steps());
    progress.clear();
    replica.job().refused();
    replica.hooks().refused();
    replica.vector().reset(check.mostChange(round));
    return new Refusal(replica.index(), records, reason);
  }

  /** The last word, with the records that were rejected since the last contribution. */
  Farewell farewell() {
    Farewell farewell = new Farewell(replica.index(), replica.progress().ledger());
    // A checkpoint from now on holds this in the coordinator: it must not be in the replica's part
    // too.
    replica.progress().clear();
    return farewell;
  }
}
