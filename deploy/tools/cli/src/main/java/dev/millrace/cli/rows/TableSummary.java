package dev.millrace.cli.rows;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Tells what an embedding table is like.
 *
 * @param rows that it has, with those that have expired and were not removed yet
 * @param bytes of the rows in state, without keys
 * @param created rows that were made
 * @param expired rows that were removed
 * @param uses of ids, in whichever row or none they are counted
 * @param usesWithoutRow those of ids that had no row
 * @param usesExpired those of rows that were removed
 * @param waiting gradients that were dropped because their id had no row yet
 * @param refused gradients that were dropped because something wasn't finite, or the table was full
 * @param meanNorm of rows' values (L2); 0 without rows
 * @param largestNorm the largest one
 * @param hottest the ids that are used most, the first most of all
 */
public record TableSummary(
    String name,
    int dimension,
    String updater,
    long rows,
    long bytes,
    long created,
    long expired,
    long uses,
    long usesWithoutRow,
    long usesExpired,
    long waiting,
    long refused,
    double meanNorm,
    double largestNorm,
    List<HotId> hottest) {

  /** An id that is used often. */
  public record HotId(long id, long uses) {}

  private static final int HOTTEST = 10;

  /** The smaller one of two ids with as many uses comes first. */
  private static final Comparator<HotId> BY_USES =
      Comparator.comparingLong(HotId::uses).thenComparing(HotId::id, Comparator.reverseOrder());

  /**
   * Reads all rows, one at a time.
   *
   * @throws IOException if they can't be read
   */
  public static List<TableSummary> of(StoredTables stored, ReadingProgress progress)
      throws IOException {
    List<Sums> sums = stored.tables().stream().map(Sums::new).toList();
    stored.forEach((table, row) -> sums.get(table).add(row), progress);
    return sums.stream().map(Sums::summary).toList();
  }

  private static final class Sums {

    private final SavedTable table;
    private final PriorityQueue<HotId> hottest = new PriorityQueue<>(BY_USES);
    private long uses;
    private double norms;
    private double largest;

    Sums(SavedTable table) {
      this.table = table;
    }

    void add(SavedRow row) {
      uses += row.uses();
      double squares = 0;
      for (int i = 0; i < table.dimension(); i++) {
        squares += (double) row.floats()[i] * row.floats()[i];
      }
      double norm = Math.sqrt(squares);
      norms += norm;
      largest = Math.max(largest, norm);
      if (hottest.size() < HOTTEST || row.uses() >= hottest.peek().uses()) {
        hottest.add(new HotId(row.id(), row.uses()));
        if (hottest.size() > HOTTEST) {
          hottest.remove();
        }
      }
    }

    TableSummary summary() {
      RowCounts counts = table.counts();
      List<HotId> ordered = new ArrayList<>(hottest);
      ordered.sort(BY_USES.reversed());
      return new TableSummary(
          table.name(),
          table.dimension(),
          table.updater(),
          counts.rows(),
          table.bytes(),
          counts.created(),
          counts.expired(),
          uses + counts.usesElsewhere(),
          counts.usesWithoutRow(),
          counts.usesExpired(),
          counts.waiting(),
          counts.refused(),
          counts.rows() == 0 ? 0 : norms / counts.rows(),
          largest,
          ordered);
    }
  }
}
