package dev.millrace.model;

import java.io.Serializable;

/**
 * How an example's features and labels are arranged.
 *
 * @param steps the most steps that a sequence has; 0 where examples are no sequences. Features are
 *     those of step 0, of step 1 and so on, zeros after the last step
 * @param labelPerStep whether each step has labels of its own, arranged as the features are;
 *     otherwise a sequence has one
 */
public record ExampleStructure(int steps, boolean labelPerStep) implements Serializable {

  /** One array of features, one label. */
  public static final ExampleStructure FLAT = new ExampleStructure(0, false);

  public ExampleStructure {
    if (steps < 0 || (steps == 0 && labelPerStep)) {
      throw new IllegalArgumentException("Labels for each of %d steps".formatted(steps));
    }
  }

  public boolean isSequence() {
    return steps > 0;
  }
}
