package dev.millrace.exchange.flink.coordinator;

import java.io.IOException;
import java.io.Serializable;

/**
 * Tells which generations have been used outside of a job's own state: by attempts of the job that
 * a checkpoint doesn't know of, or by other jobs that published to the same place.
 */
public interface UsedGenerations extends Serializable {

  /** Where nothing is published. */
  UsedGenerations NONE = () -> -1;

  /**
   * The greatest one used; -1 if there is none.
   *
   * @throws IOException if that can't be found out; the attempt fails then, and is tried again
   */
  long newest() throws IOException;

  /**
   * A generation for an attempt that is about to start, which no published model bears.
   *
   * @param saved the one that the attempt's state was saved with, or a new job's first
   * @param restored whether the attempt continues from a checkpoint
   * @param attempt its number, counted from 0 per submission: attempts that failed before their
   *     first checkpoint have left no trace in the state
   */
  default long next(long saved, boolean restored, int attempt) throws IOException {
    return Math.max(saved + (restored ? 1 : 0) + attempt, newest() + 1);
  }
}
