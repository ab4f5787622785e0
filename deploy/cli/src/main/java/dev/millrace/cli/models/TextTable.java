package dev.millrace.cli.models;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of text in columns, aligned for people. */
final class TextTable {

  /** Stands before a heading whose column holds numbers, which end at the same place. */
  static final char NUMBERS = '>';

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... headings) {
    this.headings = List.of(headings);
    rows.add(this.headings.stream().map(TextTable::heading).toList());
  }

  void add(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell instanceof Number number ? Texts.count(number.longValue()) : cell.toString());
    }
    rows.add(row);
  }

  /** The lines of the table, the headings first. */
  String text() {
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < headings.size(); column++) {
      int at = column;
      widths.add(rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0));
    }
    return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
  }

  private String line(List<String> row, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      String padding = " ".repeat(widths.get(column) - cell.length());
      boolean numbers = headings.get(column).charAt(0) == NUMBERS;
      line.append(column == 0 ? "" : "  ").append(numbers ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private static String heading(String heading) {
    return heading.charAt(0) == NUMBERS ? heading.substring(1) : heading;
  }
}
