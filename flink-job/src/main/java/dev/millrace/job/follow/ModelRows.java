package dev.millrace.job.follow;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;

/**
 * The rows that models of a place take, opened with the first model that does. Belongs to one
 * thread.
 */
public final class ModelRows implements AutoCloseable {

  /** There are none. */
  static final ModelRows NONE = new ModelRows((RowPlace) null);

  private final RowPlace placeOrNull;

  /** Null before they are opened. */
  private ServedRows rows;

  /** The rows of models of a place. */
  public ModelRows(ModelPlace models) {
    this(models.rows().orElse(null));
  }

  private ModelRows(RowPlace placeOrNull) {
    this.placeOrNull = placeOrNull;
  }

  /**
   * Returns the rows for examples, or null if they have no ids.
   *
   * @throws InvalidModelException if no place has any
   * @throws MissingRowsException if they can't be had now
   */
  ServedRows of(ExampleShape shape) {
    if (shape.columns().ids().isEmpty()) {
      return null;
    }
    if (placeOrNull == null) {
      RowPlace.requireNoNeed(shape, "A prediction");
    }
    if (rows == null) {
      try {
        rows = placeOrNull.open();
      } catch (IOException | RuntimeException e) {
        throw new MissingRowsException(
            "its rows can't be had of %s: %s".formatted(placeOrNull, Reason.of(e)), e);
      }
    }
    return rows;
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }
}
