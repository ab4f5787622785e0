package dev.millrace.exchange.drift;

import java.io.Serializable;

/**
 * What contributions tell of single examples, for detectors.
 *
 * @param errors whether they tell the error of each
 * @param samples whether they tell the features of some
 */
public record Told(boolean errors, boolean samples) implements Serializable {

  /** Nothing. */
  public static final Told NOTHING = new Told(false, false);
}
