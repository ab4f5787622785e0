package dev.millrace.exchange.rows;

import java.io.Serializable;
import java.util.Objects;

/**
 * An embedding table: what its rows look like, and how they come and go.
 *
 * @param name tells tables of a job apart, and is part of what initial values are made of
 * @param dimension values of a row
 * @param mostRows the most rows that the table has; once there are as many, new ids read their
 *     initial values, and their gradients are refused and counted. Each key group has an equal
 *     share of them, rounded up, so that it needs to ask nobody; expired rows count until they are
 *     removed
 */
public record RowTable(
    String name,
    int dimension,
    RowUpdater updater,
    InitialRow initial,
    Admission admission,
    Expiry expiry,
    long mostRows)
    implements Serializable {

  /** The learning rate of a table that says none. */
  public static final float LEARNING_RATE = 0.07f;

  /** Any number of rows. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final int LONGEST_NAME = 200;
  private static final int MOST_VALUES = 1 << 16;

  public RowTable {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "A table is called '%s'; its name must have 1 to %s characters, and not spaces alone"
              .formatted(name, LONGEST_NAME));
    }
    if (dimension < 1 || dimension > MOST_VALUES) {
      throw new IllegalArgumentException(
          "Table '%s' has a dimension of %s; it must be 1 to %s"
              .formatted(name, dimension, MOST_VALUES));
    }
    Objects.requireNonNull(updater, "updater");
    Objects.requireNonNull(initial, "initial");
    Objects.requireNonNull(admission, "admission");
    Objects.requireNonNull(expiry, "expiry");
    if (mostRows < 1) {
      throw new IllegalArgumentException(
          "Table '%s' may have %s rows; it must be at least 1".formatted(name, mostRows));
    }
  }

  /**
   * A table with all defaults: row-wise Adagrad at {@link #LEARNING_RATE}, small initial values, a
   * row for each id, forever.
   */
  public static RowTable of(String name, int dimension) {
    return new RowTable(
        name,
        dimension,
        new RowwiseAdagrad(LEARNING_RATE, 0),
        InitialRow.DEFAULT,
        Admission.AT_ONCE,
        Expiry.NEVER,
        UNLIMITED);
  }

  public RowTable with(RowUpdater other) {
    return new RowTable(name, dimension, other, initial, admission, expiry, mostRows);
  }

  public RowTable with(InitialRow other) {
    return new RowTable(name, dimension, updater, other, admission, expiry, mostRows);
  }

  public RowTable with(Admission other) {
    return new RowTable(name, dimension, updater, initial, other, expiry, mostRows);
  }

  public RowTable with(Expiry other) {
    return new RowTable(name, dimension, updater, initial, admission, other, mostRows);
  }

  public RowTable withAtMost(long rows) {
    return new RowTable(name, dimension, updater, initial, admission, expiry, rows);
  }

  /** Returns a hash of the name, for {@link InitialRow#fill}. */
  public long hash() {
    return hash(name);
  }

  /** Returns a hash of a table's name, equal on each platform and in each release. */
  public static long hash(String name) {
    return RowHash.of(name);
  }

  /** Returns the bytes of a row as it is saved, without its key. */
  public int bytes() {
    return new RowFormat(this).length();
  }

  /** Returns the floats of a row: its values and the updater's slots. */
  public int floats() {
    return dimension + updater.slots(dimension);
  }
}
