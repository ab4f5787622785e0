package dev.millrace.exchange.steering;

import java.io.Serializable;

/**
 * What contributions tell of single examples, for detectors.
 *
 * @param errors whether they tell the error of each
 * @param samples whether they tell the features of some
 */
public record ExampleSignals(boolean errors, boolean samples) implements Serializable {

  /** Nothing. */
  public static final ExampleSignals NOTHING = new ExampleSignals(false, false);
}
