package dev.millrace.exchange.rows;

/**
 * Goes through the ids of a key group, in any order, while rows are put and removed: it gives each
 * id that was there at the beginning and wasn't removed. Others may come, too.
 */
public interface RowCursor extends AutoCloseable {

  /** Moves on to the next id. Returns false if there is none. */
  boolean next();

  /** The id that {@link #next} moved on to. */
  long id();

  @Override
  void close();
}
