package dev.millrace.evaluation;

import java.util.List;

/**
 * How well a set of labels is predicted, each given from a probability of 0.5 on.
 *
 * @param accuracy share of the examples whose whole set of labels is right
 * @param loss mean binary cross-entropy over the labels
 * @param auc area under the ROC curve of the positive class; null, as the next two are, where
 *     examples aren't positive or negative ({@link
 *     dev.millrace.model.shape.ExampleShape#hasTwoClasses})
 * @param normalizedEntropy the loss relative to that of always predicting the share of positive
 *     examples
 * @param calibrationRatio positive examples as predicted, relative to those that there are
 * @param macro means over the labels that examples have
 * @param labels in the order of their numbers
 */
public record MultiLabelResult(
    long examples,
    Double accuracy,
    Double loss,
    Double auc,
    Double normalizedEntropy,
    Double calibrationRatio,
    ClassificationResult.Macro macro,
    List<LabelResult> labels)
    implements EvaluationResult {

  /**
   * One label by itself.
   *
   * @param examples that have it
   * @param accuracy share of all examples where it was rightly given or rightly not
   * @param auc area under the ROC curve of its probability
   * @param aucMargin by how much that may be off, scores being kept in bins
   * @param calibration of its probability
   */
  public record LabelResult(
      String name,
      long examples,
      long truePositives,
      long falsePositives,
      long falseNegatives,
      long trueNegatives,
      Double accuracy,
      Double precision,
      Double recall,
      Double f1,
      Double auc,
      Double aucMargin,
      RocCurve roc,
      Calibration calibration) {}

  public MultiLabelResult {
    labels = List.copyOf(labels);
  }
}
