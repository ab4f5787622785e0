package dev.millrace.cli.rows;

import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a table of one savepoint differs from that of another.
 *
 * @param came rows that B alone has
 * @param went rows that A alone has
 * @param changed rows that both have, with other values
 * @param same rows that both have, bit by bit
 * @param meanDistance L2, of the rows that have changed; 0 if none have
 * @param largest changes, the largest first
 */
public record TableDiff(
    String name,
    long came,
    long went,
    long changed,
    long same,
    double meanDistance,
    List<Change> largest) {

  /**
   * A row that has changed.
   *
   * @param distance L2, of its values
   */
  public record Change(long id, double distance) {}

  /** Writes tables for people. */
  public static String text(List<TableDiff> tables) {
    TextTable text =
        new TextTable("table", ">came", ">went", ">changed", ">same", ">mean distance", ">largest");
    for (TableDiff table : tables) {
      text.add(
          table.name(),
          table.came(),
          table.went(),
          table.changed(),
          table.same(),
          NumberText.number(table.meanDistance()),
          table.largest().isEmpty() ? "-" : NumberText.number(table.largest().get(0).distance()));
    }
    return text.text()
        + tables.stream()
            .filter(table -> !table.largest().isEmpty())
            .map(TableDiff::changes)
            .collect(Collectors.joining());
  }

  private static String changes(TableDiff table) {
    return "\nchanged most of %s: %s"
        .formatted(
            table.name(),
            table.largest().stream()
                .map(
                    change ->
                        "%s (%s)".formatted(change.id(), NumberText.number(change.distance())))
                .collect(Collectors.joining(", ")));
  }
}
