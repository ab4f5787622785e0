package dev.millrace.exchange.block;

import java.io.Serializable;

/**
 * Whether blocks keep a {@link MovingAverage} of their parameters.
 *
 * @param halfLife in examples of the whole job, by their weights, above 0; 0 where no average is
 *     kept
 * @param published whether the average is published, in the place of the newest values
 */
public record Averaging(double halfLife, boolean published) implements Serializable {

  /** The newest values alone. */
  public static final Averaging NONE = new Averaging(0, false);

  public Averaging {
    if (!(halfLife >= 0) || (published && halfLife == 0)) {
      throw new IllegalArgumentException(
          "A moving average of a half-life of %s examples can't be %s"
              .formatted(halfLife, published ? "published" : "kept"));
    }
  }

  boolean isKept() {
    return halfLife > 0;
  }
}
