package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Measures;
import dev.millrace.model.shape.Target;

/**
 * How well a model predicts, as far as its target has such measures; null for those it hasn't, and
 * for all means over no example.
 *
 * @param examples number of examples evaluated
 * @param accuracy share predicted right
 * @param loss mean over the examples
 * @param set checksum of the hold-out set that these are measures of; null where they are of none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Quality(
    long examples,
    Double accuracy,
    Double loss,
    Double meanAbsoluteError,
    Double rootMeanSquaredError,
    String set) {

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
            measures.examples(), measures.accuracy(), measures.meanLoss(), null, null, null);
  }

  /** Returns these as measures of the hold-out set with this checksum. */
  public Quality onSet(String checksum) {
    return new Quality(examples, accuracy, loss, meanAbsoluteError, rootMeanSquaredError, checksum);
  }
}
