package dev.millrace.exchange.flink.coordinator;

import java.io.IOException;
import java.io.Serializable;

/**
 * Tells which generations have been used outside of a job's own state: by attempts of the job that
 * a checkpoint doesn't know of, or by other jobs that published to the same place.
 */
public interface Generations extends Serializable {

  /** Where nothing is published. */
  Generations NONE = () -> -1;

  /**
   * The greatest one used; -1 if there is none.
   *
   * @throws IOException if that can't be found out; the attempt fails then, and is tried again
   */
  long newest() throws IOException;
}
