package dev.millrace.exchange.replica;

import java.util.Optional;

/**
 * Says why what a replica has learned may be neither contributed nor kept.
 *
 * <p>Not thread-safe.
 */
final class ContributionCheck {

  /** Why values that aren't sound are refused. */
  static final String DIVERGES =
      "values that exploded or aren't finite: the model diverges. Lower its learning rate, or look"
          + " at the examples' features and labels; the guard's largest change of a contribution"
          + " says how much is an explosion";

  private final ReplicaParts replica;
  private final ContributionGuard guard;

  ContributionCheck(ReplicaParts replica, ContributionGuard guard) {
    this.replica = replica;
    this.guard = guard;
  }

  /**
   * One example far away would make all others look the same, once they are standardized by it;
   * unless features are clipped.
   */
  Optional<String> featuresFarAway() {
    Standardizer standardizer = replica.standardizer();
    return standardizer.isOn()
        ? standardizer.farAway(replica.progress().statistics(), guard.mostDistance())
        : Optional.empty();
  }

  /** Looks at all values, also those that aren't exchanged, which a checkpoint has, too. */
  Optional<String> explosion(long round) {
    LocalVector vector = replica.vector();
    boolean sound = vector.isSound(mostChange(round)) && vector.isRestSound();
    return sound ? Optional.empty() : Optional.of(DIVERGES);
  }

  /** The greatest change that a contribution may make in {@code round}. */
  double mostChange(long round) {
    return guard.mostChange(round);
  }
}
