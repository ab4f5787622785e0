package dev.millrace.cli.rows;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.apache.flink.util.FileUtils;

/**
 * Compares the rows of two savepoints. Memory holds a part of them, see {@link SpilledRows}; the
 * directory of temporary files has room for the values of both.
 */
public final class RowsDiff {

  private static final int LARGEST = 10;

  private final Map<String, Counted> counted = new TreeMap<>();

  private RowsDiff() {}

  /**
   * Compares all tables of either.
   *
   * @throws IOException if rows can't be read, or no temporary file can be written
   * @throws IllegalArgumentException if a table has another dimension in the other one
   */
  public static List<TableDiff> between(StoredTables a, StoredTables b, ReadingProgress progress)
      throws IOException {
    RowsDiff diff = new RowsDiff();
    requireSameDimensions(a, b);
    a.tables().forEach(table -> diff.counted(table.name()));
    b.tables().forEach(table -> diff.counted(table.name()));
    Path directory = TemporaryFiles.directory("millrace-rows-");
    try {
      SpilledRows ofA = SpilledRows.of(a, directory, "a", progress);
      SpilledRows ofB = SpilledRows.of(b, directory, "b", progress);
      for (int part = 0; part < SpilledRows.PARTS; part++) {
        diff.compare(a.tables(), ofA, b.tables(), ofB, part);
      }
    } finally {
      FileUtils.deleteDirectory(directory.toFile());
    }
    return diff.counted.values().stream().map(Counted::diff).toList();
  }

  private static void requireSameDimensions(StoredTables a, StoredTables b) {
    for (SavedTable one : a.tables()) {
      for (SavedTable other : b.tables()) {
        if (one.name().equals(other.name()) && one.dimension() != other.dimension()) {
          throw new IllegalArgumentException(
              "Table '%s' has rows of %s values in the first, and of %s in the second"
                  .formatted(one.name(), one.dimension(), other.dimension()));
        }
      }
    }
  }

  private Counted counted(String table) {
    return counted.computeIfAbsent(table, Counted::new);
  }

  private void compare(
      List<SavedTable> tablesOfA,
      SpilledRows a,
      List<SavedTable> tablesOfB,
      SpilledRows b,
      int part)
      throws IOException {
    Map<String, Map<Long, float[]>> rows = new HashMap<>();
    a.forEach(
        part,
        (table, id, values) ->
            rows.computeIfAbsent(tablesOfA.get(table).name(), any -> new HashMap<>())
                .put(id, values));
    b.forEach(
        part,
        (table, id, values) -> {
          String name = tablesOfB.get(table).name();
          counted(name).add(id, rows.getOrDefault(name, Map.of()).get(id), values);
        });
    rows.forEach((table, left) -> counted(table).ofA += left.size());
  }

  /** One table, while rows come. */
  private static final class Counted {

    private final String name;
    private final PriorityQueue<TableDiff.Change> largest =
        new PriorityQueue<>(Comparator.comparingDouble(TableDiff.Change::distance));
    private long ofA;
    private long came;
    private long changed;
    private long same;
    private double distances;

    Counted(String name) {
      this.name = name;
    }

    /** Takes a row of B, and that of A if there is one. */
    void add(long id, float[] beforeOrNull, float[] values) {
      if (beforeOrNull == null) {
        came++;
      } else if (Arrays.equals(beforeOrNull, values)) {
        same++;
      } else {
        change(id, beforeOrNull, values);
      }
    }

    private void change(long id, float[] before, float[] values) {
      double squares = 0;
      for (int i = 0; i < values.length; i++) {
        double difference = (double) values[i] - before[i];
        squares += difference * difference;
      }
      changed++;
      distances += Math.sqrt(squares);
      largest.add(new TableDiff.Change(id, Math.sqrt(squares)));
      if (largest.size() > LARGEST) {
        largest.remove();
      }
    }

    TableDiff diff() {
      List<TableDiff.Change> ordered = new ArrayList<>(largest);
      ordered.sort(Comparator.comparingDouble(TableDiff.Change::distance).reversed());
      return new TableDiff(
          name,
          came,
          ofA - changed - same,
          changed,
          same,
          changed == 0 ? 0 : distances / changed,
          ordered);
    }
  }
}
