package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Measures;
import dev.millrace.model.shape.Target;

/**
 * How well a model predicts, as far as its examples have such measures; null for those they
 * haven't, and for all means over no example.
 *
 * @param examples number of examples evaluated
 * @param accuracy share predicted right
 * @param loss mean over the examples
 * @param auc area under the ROC curve; this and the next two are of positive and negative examples
 * @param normalizedEntropy as {@link Measures#normalizedEntropy}
 * @param calibrationRatio as {@link Measures#calibrationRatio()}
 * @param set checksum of the hold-out set that these are measures of; null where they are of none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Quality(
    long examples,
    Double accuracy,
    Double loss,
    Double auc,
    Double normalizedEntropy,
    Double calibrationRatio,
    Double meanAbsoluteError,
    Double rootMeanSquaredError,
    String set) {

  /** Measures of examples that aren't positive or negative. */
  public Quality(
      long examples,
      Double accuracy,
      Double loss,
      Double meanAbsoluteError,
      Double rootMeanSquaredError,
      String set) {
    this(examples, accuracy, loss, null, null, null, meanAbsoluteError, rootMeanSquaredError, set);
  }

  public static Quality of(Target target, Measures measures) {
    if (measures.examples() == 0) {
      return new Quality(0, null, null, null, null, null);
    }
    return target == Target.REGRESSION
        ? new Quality(
            measures.examples(),
            null,
            measures.meanLoss(),
            measures.meanAbsoluteError(),
            measures.rootMeanSquaredError(),
            null)
        : new Quality(
            measures.examples(),
            measures.accuracy(),
            measures.meanLoss(),
            finite(measures.auc()),
            finite(measures.normalizedEntropy()),
            finite(measures.calibrationRatio()),
            null,
            null,
            null);
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** Returns these as measures of the hold-out set with this checksum. */
  public Quality onSet(String checksum) {
    return new Quality(
        examples,
        accuracy,
        loss,
        auc,
        normalizedEntropy,
        calibrationRatio,
        meanAbsoluteError,
        rootMeanSquaredError,
        checksum);
  }
}
