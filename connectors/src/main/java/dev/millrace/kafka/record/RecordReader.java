package dev.millrace.kafka.record;

import dev.millrace.example.Prerequisites;
import java.io.Serializable;

/**
 * Makes of each record what a job works with. An instance belongs to one thread once it reads.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface RecordReader<T> extends Serializable {

  /**
   * Never throws for what a record holds, and never returns null.
   *
   * @throws dev.millrace.example.UnavailableException if its {@link #prerequisites} can't be had
   */
  T read(RawRecord record);

  /** Returns what it needs before it can read a record; always the same object. */
  default Prerequisites prerequisites() {
    return Prerequisites.NONE;
  }
}
