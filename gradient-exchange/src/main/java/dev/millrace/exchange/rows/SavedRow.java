package dev.millrace.exchange.rows;

/** One row of a saved state at a time: each takes the place of the one before. One thread's. */
public final class SavedRow {

  private final SavedTable table;
  private final RowFormat format;
  private final float[] floats;

  private long id;
  private int epoch;
  private long uses;
  private long lastUse;

  /**
   * Holds no row yet.
   *
   * @throws DamagedRowException if rows of the table can't be read by this release
   */
  public SavedRow(SavedTable table) {
    this.table = table;
    this.format = new RowFormat(table.described());
    this.floats = new float[format.floats()];
  }

  /**
   * Takes a row as it was saved.
   *
   * @throws DamagedRowException if the bytes are no row of this table
   */
  public void read(long newId, byte[] saved) {
    read(newId, saved, 0, saved.length);
  }

  /** Takes a row from among others, of so many bytes from {@code from} on. */
  void read(long newId, byte[] saved, int from, int length) {
    format.check(newId, saved, from, length);
    id = newId;
    epoch = RowFormat.epoch(saved, from);
    uses = RowFormat.uses(saved, from);
    lastUse = RowFormat.lastUse(saved, from);
    format.floats(saved, from, floats, 0);
  }

  public SavedTable table() {
    return table;
  }

  public long id() {
    return id;
  }

  /** Returns the number of the last reset of updaters that it has seen. */
  public int epoch() {
    return epoch;
  }

  /** Returns how often it was used since it was made. */
  public long uses() {
    return uses;
  }

  /** Returns when it was used last, in milliseconds; in examples where its table goes by them. */
  public long lastUse() {
    return lastUse;
  }

  /**
   * Returns its values, as many as the table's dimension, then the updater's slots. The array is
   * the same for all rows, and not to be changed.
   */
  public float[] floats() {
    return floats;
  }
}
