package dev.millrace.model;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import java.util.Objects;
import java.util.Optional;

/**
 * What an engine's archive holds, whoever wrote it.
 *
 * @param kind the engine's own name for the kind of network
 * @param configuration the engine's own description of the network, as JSON
 * @param iteration optimizer steps that the model has behind it
 * @param parameters length of the parameter part of the vector
 * @param vector [parameters | updater state], or the parameters alone where the archive has no more
 * @param learnedOrNull what the archive has of features, if anything
 * @param serverOptimizer what the server optimizer kept, where the archive has it
 * @param descriptionOrNull of the snapshot, as {@link ModelEngine#writeArchive} got it
 */
public record ArchivedModel(
    String kind,
    String configuration,
    long iteration,
    int parameters,
    float[] vector,
    LearnedFeatures learnedOrNull,
    ServerOptimizerState serverOptimizer,
    String descriptionOrNull) {

  public ArchivedModel {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(configuration, "configuration");
    Objects.requireNonNull(serverOptimizer, "serverOptimizer");
    Objects.checkIndex(parameters, vector.length + 1);
  }

  public Optional<LearnedFeatures> learned() {
    return Optional.ofNullable(learnedOrNull);
  }

  /** Returns the statistics that the archive standardizes features by; empty where it doesn't. */
  public Optional<FeatureStatistics> statistics() {
    return learned().filter(LearnedFeatures::standardizes).map(LearnedFeatures::statistics);
  }

  public Optional<String> description() {
    return Optional.ofNullable(descriptionOrNull);
  }
}
