package dev.millrace.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text in columns, aligned for people. */
public final class TextTable {

  /** Stands before a heading whose column holds numbers, which are aligned to the right. */
  private static final String NUMBERS = ">";

  private final List<String> headings;
  private final List<Object[]> rows = new ArrayList<>();

  public TextTable(String... headings) {
    this.headings = List.of(headings);
    rows.add(this.headings.stream().map(heading -> heading.replace(NUMBERS, "")).toArray());
  }

  /** One cell for each heading. Numbers get separators between thousands. */
  public void add(Object... cells) {
    for (int column = 0; column < cells.length; column++) {
      if (cells[column] instanceof Number number) {
        cells[column] = NumberText.count(number.longValue());
      }
    }
    rows.add(cells);
  }

  /** The lines of the table, the headings first. */
  public String text() {
    String format =
        IntStream.range(0, headings.size())
            .mapToObj(this::format)
            .collect(Collectors.joining("  "));
    return rows.stream()
        .map(row -> String.format(Locale.ROOT, format, row).stripTrailing())
        .collect(Collectors.joining("\n"));
  }

  private String format(int column) {
    String alignment = headings.get(column).startsWith(NUMBERS) ? "" : "-";
    int width = rows.stream().mapToInt(row -> row[column].toString().length()).max().orElseThrow();
    return "%" + alignment + width + "s";
  }
}
