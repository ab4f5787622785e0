package dev.millrace.cli.report;

import dev.millrace.watch.Document;
import java.util.ArrayList;
import java.util.List;

/** A table whose first column names the row and whose others are numbers. */
final class HtmlTable {

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  HtmlTable(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row of plain text. */
  void row(String... cells) {
    rows.add(List.of(cells));
  }

  String write() {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table><thead><tr>");
    header.forEach(name -> html.append("<th>").append(Document.escape(name)).append("</th>"));
    html.append("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr><th>").append(Document.escape(row.get(0))).append("</th>");
      row.stream()
          .skip(1)
          .forEach(cell -> html.append("<td>").append(Document.escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }
}
