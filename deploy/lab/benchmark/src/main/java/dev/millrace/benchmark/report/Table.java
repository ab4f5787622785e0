package dev.millrace.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/** A table of a page. */
public final class Table {

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    this.header = List.of(header);
  }

  public Table(List<String> header) {
    this.header = List.copyOf(header);
  }

  public Table row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          "A row of %s cells in a table of %s columns".formatted(cells.size(), header.size()));
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  public Table row(String... cells) {
    return row(List.of(cells));
  }

  /** Writes the table as Markdown, with a line break behind it. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    line(text, header);
    line(text, header.stream().map(any -> "---").toList());
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
