package dev.millrace.exchange.rows;

/**
 * What became of the rows and uses of a table, in one shard. Each use that was pushed is in a row,
 * in {@code usesWithoutRow} or in {@code usesExpired}, exactly once. All but the last three are
 * part of the saved state.
 *
 * @param rows that there are, with those that have expired and were not removed yet
 * @param created rows that were made
 * @param expired rows that were removed
 * @param usesWithoutRow uses of ids that had no row: not admitted yet, or over the limit of rows
 * @param usesExpired uses of rows that were removed
 * @param waiting gradients that were dropped because their id was not admitted yet, or had no row
 *     any more when it was replayed
 * @param refused gradients that were dropped because they, or what they would make of the row,
 *     weren't finite, or because the table was full
 * @param hits rows that were found in the cache
 * @param misses rows that were looked for in the store
 * @param written rows that were written into the store
 */
public record RowCounts(
    long rows,
    long created,
    long expired,
    long usesWithoutRow,
    long usesExpired,
    long waiting,
    long refused,
    long hits,
    long misses,
    long written) {

  /** Returns the uses that are in no row. */
  public long usesElsewhere() {
    return usesWithoutRow + usesExpired;
  }

  /** Adds up counts, of shards or of tables. */
  public RowCounts plus(RowCounts other) {
    return new RowCounts(
        rows + other.rows,
        created + other.created,
        expired + other.expired,
        usesWithoutRow + other.usesWithoutRow,
        usesExpired + other.usesExpired,
        waiting + other.waiting,
        refused + other.refused,
        hits + other.hits,
        misses + other.misses,
        written + other.written);
  }
}
