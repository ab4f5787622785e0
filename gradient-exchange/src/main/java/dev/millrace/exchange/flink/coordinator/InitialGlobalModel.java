package dev.millrace.exchange.flink.coordinator;

import dev.millrace.model.FeatureStatistics;
import java.io.Serializable;

/**
 * What a job without a checkpoint starts from, and what a checkpoint's model has to fit.
 *
 * @param model the job's model and layout, kept with the state
 * @param statistics of features, with their clip; no features where standardization is off
 * @param clipOrNull the clip that the job asks for, whatever its checkpoint has; null to keep that
 * @param iteration optimizer steps
 */
public record InitialGlobalModel(
    SavedModel model, FeatureStatistics statistics, Double clipOrNull, long iteration)
    implements Serializable {}
