package dev.millrace.evaluation;

import java.util.List;

/**
 * How well numbers are predicted.
 *
 * @param loss mean squared error over all outputs
 * @param mean over the outputs, each counting the same
 */
public record RegressionResult(long examples, Double loss, Mean mean, List<Output> outputs)
    implements EvaluationResult {

  /** Means over the outputs. */
  public record Mean(
      Double meanSquaredError,
      Double rootMeanSquaredError,
      Double meanAbsoluteError,
      Double r2,
      Double correlation) {}

  /**
   * One output.
   *
   * @param r2 coefficient of determination: 1 less the ratio of the squared errors to the squared
   *     distances of the labels from their mean; null where all labels are the same
   * @param correlation Pearson's, of predictions and labels; null where either are all the same
   * @param absoluteErrors how large the absolute errors are
   */
  public record Output(
      String name,
      Double meanSquaredError,
      Double rootMeanSquaredError,
      Double meanAbsoluteError,
      Double r2,
      Double correlation,
      Double meanLabel,
      Double meanPrediction,
      List<Quantile> absoluteErrors) {

    public Output {
      absoluteErrors = List.copyOf(absoluteErrors);
    }
  }

  /**
   * An absolute error that a share of the examples doesn't exceed.
   *
   * @param error at most 1/16 above the least such error
   */
  public record Quantile(double share, double error) {}

  public RegressionResult {
    outputs = List.copyOf(outputs);
  }
}
