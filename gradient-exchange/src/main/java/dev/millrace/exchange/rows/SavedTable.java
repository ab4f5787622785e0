package dev.millrace.exchange.rows;

/**
 * A table as a saved state tells of it, without its job: enough to read its rows.
 *
 * @param dimension values of a row
 * @param updater name of the rule that has changed the rows
 * @param counts of all key groups that were read
 */
public record SavedTable(String name, int dimension, String updater, RowCounts counts) {

  /**
   * Reads what is kept of one key group.
   *
   * @throws DamagedRowException if it can't be read
   */
  public static SavedTable ofGroup(byte[] saved) {
    return GroupState.readTable(saved);
  }

  /**
   * Adds another key group of this table.
   *
   * @throws DamagedRowException if its rows look otherwise
   */
  public SavedTable plus(SavedTable other) {
    if (dimension != other.dimension || !updater.equals(other.updater)) {
      throw new DamagedRowException(
          ("Table '%s' has rows of %s values and the updater %s in one key group, and of %s values"
                  + " and the updater %s in another")
              .formatted(name, dimension, updater, other.dimension, other.updater));
    }
    return new SavedTable(name, dimension, updater, counts.plus(other.counts));
  }

  /** Returns the bytes of all rows as they are saved, without their keys. */
  public long bytes() {
    return counts.rows() * described().bytes();
  }

  /** Returns the floats of a row: its values, then the updater's slots. */
  public int floats() {
    return described().floats();
  }

  /**
   * A table whose rows have this form.
   *
   * @throws DamagedRowException if this release has no such updater
   */
  RowTable described() {
    try {
      return RowTable.of(name, dimension).with(RowUpdater.named(updater, 1, 0));
    } catch (IllegalArgumentException e) {
      throw new DamagedRowException(
          "Rows of table '%s' can't be read: %s".formatted(name, e.getMessage()), e);
    }
  }
}
