package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowTable;
import java.io.Serializable;

/**
 * One that shards tell of rows that have changed, see {@link RowOutputs#CHANGES}.
 *
 * @param place where it keeps rows: one at another place is told of all of them
 * @param millis between two times
 */
public record RowListener(String place, long millis) implements Serializable {

  /** Nobody is told. */
  public static final RowListener NONE = new RowListener("", 0);

  /** Whether anybody is told. */
  boolean hears() {
    return millis > 0;
  }

  /** Returns a number that others don't have, and that isn't 0. */
  long number() {
    return RowTable.hash(place) | 1;
  }
}
