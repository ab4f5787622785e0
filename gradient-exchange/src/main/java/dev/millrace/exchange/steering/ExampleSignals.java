package dev.millrace.exchange.steering;

import java.io.Serializable;

/**
 * What contributions tell of single examples.
 *
 * @param errors whether they tell the error of each
 * @param samples whether they tell the features of some
 * @param log whether they tell which were learned in which order, for the training log
 */
public record ExampleSignals(boolean errors, boolean samples, boolean log) implements Serializable {

  /** Nothing. */
  public static final ExampleSignals NOTHING = new ExampleSignals(false, false, false);

  /** Tells what detectors look at. */
  public ExampleSignals(boolean errors, boolean samples) {
    this(errors, samples, false);
  }

  /** Returns the same with the training log. */
  public ExampleSignals withLog() {
    return new ExampleSignals(errors, samples, true);
  }
}
