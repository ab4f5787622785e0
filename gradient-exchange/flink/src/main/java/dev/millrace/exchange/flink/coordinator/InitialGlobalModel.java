package dev.millrace.exchange.flink.coordinator;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import java.io.Serializable;

/**
 * What a job without a checkpoint starts from, and what a checkpoint's model has to fit.
 *
 * @param model the job's model and layout, kept with the state
 * @param learned of features, with their clip
 * @param clipOrNull the clip that the job asks for, whatever its checkpoint has; null to keep that
 * @param iteration optimizer steps
 */
public record InitialGlobalModel(
    SavedModel model, LearnedFeatures learned, Double clipOrNull, long iteration)
    implements Serializable {

  /** One of examples without words. */
  public InitialGlobalModel(
      SavedModel model, FeatureStatistics statistics, Double clipOrNull, long iteration) {
    this(model, LearnedFeatures.of(statistics), clipOrNull, iteration);
  }
}
