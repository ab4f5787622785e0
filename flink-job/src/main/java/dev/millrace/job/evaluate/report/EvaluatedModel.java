package dev.millrace.job.evaluate.report;

import dev.millrace.model.ModelSpec;
import dev.millrace.model.Standardization;
import java.io.Serializable;
import java.util.Objects;

/**
 * All of a model that predicting takes.
 *
 * @param parameters without updater state
 * @param standardizationOrNull of its features, where the model was trained with one
 */
public record EvaluatedModel(
    ModelSpec spec, float[] parameters, Standardization standardizationOrNull)
    implements Serializable {

  public EvaluatedModel {
    Objects.requireNonNull(spec, "spec");
    if (parameters.length != spec.parameters()) {
      throw new IllegalArgumentException(
          "%d parameters, where the model has %d".formatted(parameters.length, spec.parameters()));
    }
  }
}
