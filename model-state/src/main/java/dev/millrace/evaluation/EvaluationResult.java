package dev.millrace.evaluation;

/**
 * What an evaluation says. A measure that isn't defined, such as the recall of a class that no
 * example has, is null, and left out of means.
 */
public sealed interface EvaluationResult
    permits ClassificationResult, MultiLabelResult, RegressionResult {

  /** Examples that were measured. */
  long examples();

  /** The mean of {@link dev.millrace.model.Measures}' loss; null where there is no example. */
  Double loss();
}
