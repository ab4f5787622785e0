package dev.millrace.model;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;

/**
 * A model as a job begins with it.
 *
 * @param spec what the model is
 * @param vector the flat vector [parameters | updater state] to start from
 * @param iteration optimizer steps that the vector has behind it
 * @param learnedOrNull what a warm start brought along of features, if any
 * @param serverOptimizer what the server optimizer goes on from, if that came with a warm start
 */
public record InitialModel(
    ModelSpec spec,
    float[] vector,
    long iteration,
    LearnedFeatures learnedOrNull,
    ServerOptimizerState serverOptimizer)
    implements Serializable {

  public InitialModel {
    Objects.requireNonNull(spec, "spec");
    if (vector.length != spec.vectorLength()) {
      throw new IllegalArgumentException(
          "The model has %s values, its configuration asks for %s"
              .formatted(vector.length, spec.vectorLength()));
    }
    serverOptimizer.requireFor(spec);
  }

  /** A model that no server optimizer has kept anything of. */
  public InitialModel(
      ModelSpec spec, float[] vector, long iteration, FeatureStatistics statisticsOrNull) {
    this(
        spec,
        vector,
        iteration,
        statisticsOrNull == null ? null : LearnedFeatures.of(statisticsOrNull),
        ServerOptimizerState.NONE);
  }

  public Optional<LearnedFeatures> learned() {
    return Optional.ofNullable(learnedOrNull);
  }

  /** Returns the statistics that the model standardizes features by; empty where it doesn't. */
  public Optional<FeatureStatistics> statistics() {
    return learned().filter(LearnedFeatures::standardizes).map(LearnedFeatures::statistics);
  }
}
