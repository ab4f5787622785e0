package dev.millrace.job.follow;

import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;

/**
 * Rows of embedding tables, for the predictions of a process. They follow what training publishes:
 * two predictions may find two states of a row. Thread-safe.
 */
public interface ServedRows extends AutoCloseable {

  /** Makes features of ids. Belongs to one thread. */
  interface Reader {

    /**
     * Writes the columns of ids.
     *
     * @param features row-major, the shape's for each row of ids
     */
    void complete(IdLists ids, float[] features);
  }

  /** Returns a reader for examples of a shape. */
  Reader reader(ExampleShape shape);

  @Override
  void close();
}
