package dev.millrace.model.torch;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.millrace.model.Learning;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What training minimizes: of each example, then weighed and averaged over the minibatch. */
enum Loss {
  /** A loss of logits; labels are the classes' probabilities. */
  CROSS_ENTROPY("cross-entropy", Target.CLASSIFICATION),
  /** A loss of logits, the mean over the labels. */
  BINARY_CROSS_ENTROPY("binary-cross-entropy", Target.MULTI_LABEL),
  /** Squared errors, the mean over the outputs. */
  MSE("mse", Target.REGRESSION),
  /** Absolute errors, the mean over the outputs. */
  MAE("mae", Target.REGRESSION),
  /** Half the squared error up to 1, above it the absolute error less a half (Huber 1964). */
  HUBER("huber", Target.REGRESSION);

  private final String optionName;
  private final Target target;

  Loss(String optionName, Target target) {
    this.optionName = optionName;
    this.target = target;
  }

  /** The first that goes with the target. */
  static Loss of(Target target) {
    return Arrays.stream(values()).filter(loss -> loss.target == target).findFirst().orElseThrow();
  }

  /**
   * Returns the loss that {@link Learning#loss()} names.
   *
   * @throws InvalidModelException if there is no such loss, or it doesn't go with the target
   */
  static Loss named(String name, Target target) {
    Loss loss = named(name);
    if (loss.target != target) {
      throw new InvalidModelException(
          "The loss %s doesn't go with the target %s; take %s"
              .formatted(
                  name,
                  target,
                  Arrays.stream(values())
                      .filter(other -> other.target == target)
                      .map(Loss::toString)
                      .collect(Collectors.joining(" or "))));
    }
    return loss;
  }

  @JsonCreator
  private static Loss named(String name) {
    return Arrays.stream(values())
        .filter(loss -> loss.optionName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidModelException(
                    "There is no loss '%s'; there are %s".formatted(name, Names.of(values()))));
  }

  @JsonValue
  @Override
  public String toString() {
    return optionName;
  }
}
