package dev.millrace.exchange.drift;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Looks at one number after another, from 0 to 1 each, and says when they have begun to be greater
 * than they were. It starts anew then.
 *
 * <p>Deterministic: the same numbers give the same answers on every machine, whatever was restored
 * between. Not thread-safe.
 */
public interface DriftDetector {

  /**
   * Looks at the next number.
   *
   * @return whether numbers have risen
   */
  boolean add(double value);

  /** The mean before the newest rise; NaN before the first. */
  double before();

  /** The mean since the newest rise began; NaN before the first. */
  double after();

  /** Writes all of its state but its settings. */
  void write(DataOutput out) throws IOException;

  /** Goes on from what {@link #write} of a detector of the same kind wrote. */
  void read(DataInput in) throws IOException;
}
