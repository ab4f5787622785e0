package dev.millrace.model.torch;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.millrace.model.Learning;
import dev.millrace.model.io.InvalidModelException;
import java.util.Arrays;

/**
 * The rules by which gradients change parameters, each as the class of {@code torch.optim} has it.
 * Their state is so many slots, each of one value a trainable parameter, one slot behind the other.
 */
enum UpdaterKind {
  SGD("sgd", 0, 0),
  /** The momentum. */
  NESTEROVS("nesterovs", 1, 1),
  /** First and second moments. */
  ADAM("adam", 2, 1),
  /** First and second moments. */
  ADAMW("adamw", 2, 1),
  /** The mean of squared gradients. */
  RMSPROP("rmsprop", 1, 0),
  /** The sum of squared gradients. */
  ADAGRAD("adagrad", 1, 0);

  private final String optionName;
  private final int slots;
  private final int firstNonNegativeSlot;

  UpdaterKind(String optionName, int slots, int firstNonNegativeSlot) {
    this.optionName = optionName;
    this.slots = slots;
    this.firstNonNegativeSlot = firstNonNegativeSlot;
  }

  /** Values of state a trainable parameter. */
  int slots() {
    return slots;
  }

  /**
   * Returns the slot from which on, to the last, values below zero make no sense; {@link #slots()}
   * for none.
   */
  int firstNonNegativeSlot() {
    return firstNonNegativeSlot;
  }

  /**
   * Returns the updater that {@link Learning#updater()} names.
   *
   * @throws InvalidModelException if there is no such updater
   */
  @JsonCreator
  static UpdaterKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.optionName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidModelException(
                    "There is no updater '%s'; there are %s".formatted(name, Names.of(values()))));
  }

  @JsonValue
  @Override
  public String toString() {
    return optionName;
  }
}
