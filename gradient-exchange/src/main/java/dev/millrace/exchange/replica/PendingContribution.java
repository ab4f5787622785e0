package dev.millrace.exchange.replica;

import dev.millrace.exchange.log.ReplicaLog;
import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.Minibatch;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.WordCounts;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What a replica has learned since its last contribution. */
final class PendingContribution {

  private final int features;
  private final int wordColumns;
  private final int blocks;
  private final ExampleErrors told;
  private final BlockWeights weights;
  private final ReplicaLog log;
  private Ledger ledger = new Ledger();
  private FeatureStatistics statistics;
  private WordCounts words;
  private final MeasuresSum measures = new MeasuresSum();
  private ErrorTrace errors;
  private FeatureSample sample;
  private double weight;
  private int steps;

  /**
   * @param features 0 where features aren't standardized, and so not counted
   * @param wordColumns words of an example whose vocabularies are learned
   * @param told whether the errors of examples are told
   * @param sampled 0 where no sample of features is told
   * @param log of what the replica does
   */
  PendingContribution(
      int features, int wordColumns, int blocks, ExampleErrors told, int sampled, ReplicaLog log) {
    this.features = features;
    this.wordColumns = wordColumns;
    this.blocks = blocks;
    this.weights = new BlockWeights(blocks);
    this.statistics = new FeatureStatistics(features);
    this.words = new WordCounts(wordColumns);
    this.told = told;
    this.errors = told.none();
    this.sample = new FeatureSample(sampled);
    this.log = log;
  }

  /**
   * A minibatch was learned.
   *
   * @param predictions of before
   * @return how it was predicted, without scores
   */
  Measures learned(Minibatch minibatch, float[] predictions) {
    told.add(minibatch, predictions, errors);
    minibatch.recordIn(ledger);
    weight += minibatch.totalWeight();
    steps++;
    return measures.add(
        minibatch.shape(),
        predictions,
        minibatch.labels(),
        minibatch.stepsOrNull(),
        minibatch.fresh());
  }

  /** Notes that these examples have come, and nothing was done to their features. */
  void came(Minibatch minibatch) {
    sample.add(minibatch);
  }

  /** Returns what the replica has done since the last contribution, refused steps included. */
  ReplicaLog log() {
    return log;
  }

  Ledger ledger() {
    return ledger;
  }

  FeatureStatistics statistics() {
    return statistics;
  }

  WordCounts words() {
    return words;
  }

  /**
   * Returns what a contribution to a block counts by that is made now, see {@link
   * BlockWeights#ofNext}.
   */
  double contributionWeight(int block) {
    return weights.ofNext(block, weight, steps > 0);
  }

  /** Returns what is behind each block beside what was learned since the last contribution. */
  BlockWeights weights() {
    return weights;
  }

  /** Whether there is anything that some block has yet to contribute, but what codecs left out. */
  boolean isOwed() {
    return steps > 0 || weights.areOwed();
  }

  int steps() {
    return steps;
  }

  /** The metadata so far, of a replica whose updater state has seen so many steps. */
  ContributionMetadata metadata(long updaterSteps) {
    return new ContributionMetadata(
        weight,
        updaterSteps,
        ledger,
        statistics,
        words,
        measures.get(),
        errors,
        sample,
        log.text());
  }

  /**
   * Returns what {@link #metadata} does, for a contribution that is made now; its weight is the
   * blocks' mean.
   */
  ContributionMetadata ofContribution(long updaterSteps, Fragment covered) {
    double mean =
        IntStream.range(0, blocks)
            .filter(covered::covers)
            .mapToDouble(this::contributionWeight)
            .average()
            .orElseThrow();
    return new ContributionMetadata(
        mean, updaterSteps, ledger, statistics, words, measures.get(), errors, sample, log.text());
  }

  /** Weight of all examples that may be behind what a block has yet to contribute. */
  double weightBehind(int block) {
    return weights.behind(block, weight);
  }

  /**
   * Adds what another replica, or this one before a restore, had learned.
   *
   * @param theirs what was behind its blocks
   */
  void absorb(ContributionMetadata metadata, int moreSteps, BlockWeights theirs) {
    weights.absorb(theirs);
    ledger.merge(metadata.ledger());
    statistics.merge(metadata.statistics());
    words.merge(metadata.words());
    measures.add(metadata.measures());
    told.absorb(metadata.errors(), errors);
    sample.addAll(metadata.sample());
    weight += metadata.weight();
    steps += moreSteps;
  }

  /**
   * All of it has been told, and contributed by these blocks.
   *
   * @param leftSome of which of them the codec has left something out
   */
  void contributed(Fragment covered, IntPredicate leftSome) {
    weights.contributed(covered, weight, steps > 0, leftSome);
    clear();
    log.clear();
  }

  /**
   * All of it is gone from the values, or told; what codecs left out before isn't, nor is the log
   * of it. What {@link #metadata} gave before stays as it is.
   */
  void clear() {
    ledger = new Ledger();
    statistics = new FeatureStatistics(features);
    words = new WordCounts(wordColumns);
    measures.clear();
    errors = told.none();
    sample = new FeatureSample(sample.features());
    weight = 0;
    steps = 0;
  }
}
