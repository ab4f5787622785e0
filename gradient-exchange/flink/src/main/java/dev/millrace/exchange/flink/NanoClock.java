package dev.millrace.exchange.flink;

import java.io.Serializable;
import java.util.function.LongSupplier;

/**
 * A clock for durations, as {@link System#nanoTime}. Operators take theirs from outside, so that a
 * test can say how much time has passed.
 */
public interface NanoClock extends LongSupplier, Serializable {

  /** What a job runs with. */
  NanoClock SYSTEM = System::nanoTime;
}
