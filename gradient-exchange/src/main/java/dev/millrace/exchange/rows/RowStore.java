package dev.millrace.exchange.rows;

/**
 * Where the rows of one table lie that belong to one shard: keyed state, behind the shard's cache.
 * A shard calls it from one thread. What fails in it is thrown, and ends the shard.
 */
public interface RowStore {

  /** Sheets that the journal of a key group has room for, see {@link RowJournal}. */
  int SHEETS = 32;

  /** Returns a row's bytes, which the caller reads before the next call; null if there are none. */
  byte[] get(long id);

  /** Keeps a row. The array is the caller's again afterwards: it is copied, or written at once. */
  void put(long id, byte[] row);

  /** Removes a row, if it is there. */
  void remove(long id);

  /**
   * Returns the bytes that were put for a key group of this shard; null if none were. They are
   * saved, and move to other shards, as the rows of the group do.
   */
  byte[] group(int group);

  /** Keeps a key group's bytes. The array isn't changed afterwards. */
  void putGroup(int group, byte[] state);

  /** Returns a sheet of a key group's journal; null if there is none. */
  byte[] sheet(int group, int place);

  /**
   * Keeps a sheet, which is saved and moves as {@link #group} does. The array isn't changed
   * afterwards.
   *
   * @param place less than {@link #SHEETS}
   */
  void putSheet(int group, int place, byte[] sheet);

  /** Removes a sheet. */
  void removeSheet(int group, int place);

  /**
   * Goes through the ids that have a row here. Rows may come and go meanwhile; those that were here
   * before and stay are all told of.
   */
  RowCursor ids();
}
