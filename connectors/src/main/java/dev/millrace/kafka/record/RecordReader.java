package dev.millrace.kafka.record;

import java.io.Serializable;

/**
 * Makes of each record what a job works with. An instance belongs to one thread once it reads.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface RecordReader<T> extends Serializable {

  /** Never throws for what a record holds, and never returns null. */
  T read(RawRecord record);
}
