package dev.millrace.evaluation;

import java.util.List;

/**
 * How well one class of several is predicted.
 *
 * @param accuracy share of the examples whose most probable class is the right one
 * @param loss mean negative log-likelihood of the right class
 * @param auc area under the ROC curve of the positive class; null, as the next two are, where
 *     examples aren't positive or negative ({@link
 *     dev.millrace.model.shape.ExampleShape#hasTwoClasses})
 * @param normalizedEntropy the loss relative to that of always predicting the share of positive
 *     examples
 * @param calibrationRatio positive examples as predicted, relative to those that there are
 * @param macro means over the classes that examples have
 * @param calibration of the most probable class's probability
 * @param classes in the order of their numbers
 * @param confusion examples by actual class (rows) and predicted class (columns); null with more
 *     than 1,000 classes
 */
public record ClassificationResult(
    long examples,
    Double accuracy,
    Double loss,
    Double auc,
    Double normalizedEntropy,
    Double calibrationRatio,
    Macro macro,
    Calibration calibration,
    List<ClassResult> classes,
    long[][] confusion)
    implements EvaluationResult {

  /** Means over several classes or labels, each counting the same. */
  public record Macro(Double precision, Double recall, Double f1, Double auc) {}

  /**
   * One class against all others.
   *
   * @param examples that have the class
   * @param predicted examples that it was predicted for
   * @param correct examples that it was rightly predicted for
   * @param auc area under the ROC curve of its probability
   * @param aucMargin by how much that may be off, scores being kept in bins
   */
  public record ClassResult(
      String name,
      long examples,
      long predicted,
      long correct,
      Double precision,
      Double recall,
      Double f1,
      Double auc,
      Double aucMargin,
      RocCurve roc) {}

  public ClassificationResult {
    classes = List.copyOf(classes);
  }
}
