package dev.millrace.model;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import java.util.Objects;

/**
 * One complete version of the combined model, with all that belongs to it.
 *
 * @param spec what the model is
 * @param version which one it is
 * @param iteration optimizer steps of the model, counted by the examples that it has learned
 * @param vector the exchanged part of the flat vector: [parameters | updater state], or the
 *     parameters alone where the updater state isn't averaged, and in a moving average
 * @param learned what is known of features so far
 * @param ledger what it has learned from
 * @param prequential how well each example was predicted before it was learned from
 * @param lineage where it comes from, besides these records
 * @param serverOptimizer what the server optimizer keeps; none in models that a running job
 *     publishes
 * @param movingAverage whether the parameters are the moving average of those of all versions so
 *     far. It has no updater state and no server optimizer's state: those belong to the newest
 *     parameters
 */
public record GlobalModel(
    ModelSpec spec,
    ModelVersion version,
    long iteration,
    float[] vector,
    LearnedFeatures learned,
    Ledger ledger,
    Measures prequential,
    Lineage lineage,
    ServerOptimizerState serverOptimizer,
    boolean movingAverage) {

  public GlobalModel {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(learned, "learned");
    Objects.requireNonNull(ledger, "ledger");
    Objects.requireNonNull(prequential, "prequential");
    Objects.requireNonNull(lineage, "lineage");
    if (vector.length != spec.vectorLength() && vector.length != spec.parameters()) {
      throw new IllegalArgumentException(
          "A model of %s parameters and %s values of updater state can't have a vector of %s"
              .formatted(spec.parameters(), spec.updaterState(), vector.length));
    }
    serverOptimizer.requireFor(spec);
    if (movingAverage && (vector.length > spec.parameters() || !serverOptimizer.isEmpty())) {
      throw new IllegalArgumentException(
          "A moving average of %s parameters has a vector of %s and %s values of a server optimizer"
              .formatted(spec.parameters(), vector.length, serverOptimizer.size()));
    }
  }

  /** A model of examples without words. */
  public GlobalModel(
      ModelSpec spec,
      ModelVersion version,
      long iteration,
      float[] vector,
      FeatureStatistics statistics,
      Ledger ledger,
      Measures prequential,
      Lineage lineage,
      ServerOptimizerState serverOptimizer,
      boolean movingAverage) {
    this(
        spec,
        version,
        iteration,
        vector,
        LearnedFeatures.of(statistics),
        ledger,
        prequential,
        lineage,
        serverOptimizer,
        movingAverage);
  }

  /**
   * Makes a model of the newest parameters, for examples without words, that has no server
   * optimizer's state.
   */
  public GlobalModel(
      ModelSpec spec,
      ModelVersion version,
      long iteration,
      float[] vector,
      FeatureStatistics statistics,
      Ledger ledger,
      Measures prequential,
      Lineage lineage) {
    this(
        spec,
        version,
        iteration,
        vector,
        statistics,
        ledger,
        prequential,
        lineage,
        ServerOptimizerState.NONE,
        false);
  }

  /**
   * Returns a member of this model as a model of its own, which has learned what this has. What the
   * server optimizer keeps belongs to all members together, so it has none of that.
   */
  public GlobalModel member(WeightedMember member) {
    return new GlobalModel(
        member.spec(),
        version,
        iteration,
        member.vector(),
        learned,
        ledger,
        prequential,
        lineage,
        ServerOptimizerState.NONE,
        movingAverage);
  }

  /** Returns what features looked like so far; no features where standardization is off. */
  public FeatureStatistics statistics() {
    return learned.statistics();
  }

  public boolean standardizes() {
    return learned.standardizes();
  }
}
