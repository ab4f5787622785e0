package dev.millrace.job.evaluate.report;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.ModelSpec;
import java.io.Serializable;
import java.util.Objects;

/**
 * All of a model that predicting takes.
 *
 * @param parameters without updater state
 * @param completion of features by what the model has learned of them; null for nothing
 * @param rowsOrNull where the rows are that ids name; null where examples have none
 */
public record EvaluatedModel(
    ModelSpec spec, float[] parameters, FeatureCompletion completion, RowPlace rowsOrNull)
    implements Serializable {

  /** A model of examples without ids. */
  public EvaluatedModel(ModelSpec spec, float[] parameters, FeatureCompletion completion) {
    this(spec, parameters, completion, null);
  }

  public EvaluatedModel {
    Objects.requireNonNull(spec, "spec");
    completion =
        Objects.requireNonNullElseGet(completion, () -> FeatureCompletion.none(spec.shape()));
    if (parameters.length != spec.parameters()) {
      throw new IllegalArgumentException(
          "%s parameters, where the model has %s".formatted(parameters.length, spec.parameters()));
    }
  }
}
