package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;

/** What a replica has learned since its last contribution. */
final class PendingContribution {

  private final int features;
  private Ledger ledger = new Ledger();
  private FeatureStatistics statistics;
  private Measures measures = Measures.NONE;
  private double weight;
  private double contributedWeight;
  private int steps;

  /** {@code features} is 0 where features aren't standardized, and so not counted. */
  PendingContribution(int features) {
    this.features = features;
    this.statistics = new FeatureStatistics(features);
  }

  void learned(Minibatch minibatch, Measures before) {
    minibatch.recordIn(ledger);
    measures = measures.plus(before);
    weight += minibatch.totalWeight();
    steps++;
  }

  Ledger ledger() {
    return ledger;
  }

  FeatureStatistics statistics() {
    return statistics;
  }

  /**
   * Sum of the weights of the examples that a contribution counts by: those since the last one, or,
   * where all that there is was left out of that, those of the last one again. It counts by
   * something, whatever is known of it.
   */
  double contributionWeight() {
    double known = steps > 0 ? weight : contributedWeight;
    return known > 0 ? known : 1;
  }

  int steps() {
    return steps;
  }

  /** The metadata so far, of a replica whose updater state has seen so many steps. */
  ContributionMetadata metadata(long updaterSteps) {
    return new ContributionMetadata(weight, updaterSteps, ledger, statistics, measures);
  }

  /** As {@link #metadata}, of a contribution that is made now. */
  ContributionMetadata ofContribution(long updaterSteps) {
    return new ContributionMetadata(
        contributionWeight(), updaterSteps, ledger, statistics, measures);
  }

  /**
   * Weight of all examples that may be behind what has yet to be contributed: those since the last
   * contribution, and those of the last one, of which a codec may have left something out.
   */
  double weightBehind() {
    return weight + contributedWeight;
  }

  /**
   * Adds what another replica, or this one before a restore, had learned.
   *
   * @param behind see {@link #weightBehind}
   */
  void absorb(ContributionMetadata metadata, int moreSteps, double behind) {
    contributedWeight += Math.max(0, behind - metadata.weight());
    ledger.merge(metadata.ledger());
    statistics.merge(metadata.statistics());
    measures = measures.plus(metadata.measures());
    weight += metadata.weight();
    steps += moreSteps;
  }

  /**
   * All of it has been contributed.
   *
   * @param leftSome whether the codec has left something out of it
   */
  void contributed(boolean leftSome) {
    contributedWeight = leftSome ? weight : 0;
    clear();
  }

  /**
   * All of it is gone from the values, or told; what codecs left out before isn't. What {@link
   * #metadata} gave before stays as it is.
   */
  void clear() {
    ledger = new Ledger();
    statistics = new FeatureStatistics(features);
    measures = Measures.NONE;
    weight = 0;
    steps = 0;
  }
}
