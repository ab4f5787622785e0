package dev.millrace.cli.report;

import dev.millrace.evaluation.ClassificationResult;
import dev.millrace.evaluation.ClassificationResult.ClassResult;
import dev.millrace.watch.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which class is taken for which: as a matrix where that can be read, and the worst mistakes. */
final class ConfusionSection {

  private static final int MOST_READABLE = 40;
  private static final int MISTAKES = 10;

  /** Longer ones stand upright above their columns. */
  private static final int LONGEST_LEVEL_NAME = 4;

  private final List<ClassResult> classes;
  private final long[][] confusion;

  /** One cell off the diagonal. */
  private record Mistake(int actual, int predicted, long count) {}

  /** Shows the matrix of a result that has a confusion matrix. */
  ConfusionSection(ClassificationResult result) {
    this.classes = result.classes();
    this.confusion = result.confusion();
  }

  String write() {
    return "<h2>Confusion</h2>\n"
        + (classes.size() <= MOST_READABLE ? matrix() : "")
        + (classes.size() > 2 ? mistakes() : "");
  }

  private String matrix() {
    boolean longNames = classes.stream().anyMatch(c -> c.name().length() > LONGEST_LEVEL_NAME);
    StringBuilder html =
        new StringBuilder(
            "<p>Rows are actual classes, columns predicted ones; the darker, the larger the share of"
                + " its row.</p>\n<div class=\"wide\"><table class=\"confusion");
    html.append(longNames ? " upright" : "").append("\"><thead><tr><th></th>");
    for (ClassResult column : classes) {
      html.append("<th><span>").append(Document.escape(column.name())).append("</span></th>");
    }
    html.append("</tr></thead><tbody>\n");
    for (int row = 0; row < classes.size(); row++) {
      html.append("<tr><th>").append(Document.escape(classes.get(row).name())).append("</th>");
      for (int column = 0; column < classes.size(); column++) {
        html.append(cell(row, column));
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private String cell(int row, int column) {
    long count = confusion[row][column];
    double share = shareOfRow(row, count);
    String colour = row == column ? "0,114,178" : "213,94,0";
    return Html.format(
        "<td style=\"background:rgba(%s,%.2f)\" title=\"%s of the class %s taken for %s\">%s</td>",
        colour,
        // Rare mistakes are what the matrix is looked at for: a root makes them visible.
        0.9 * (row == column ? share : Math.sqrt(share)),
        Html.percent(share),
        Document.escape(classes.get(row).name()),
        Document.escape(classes.get(column).name()),
        count == 0 ? "" : Html.count(count));
  }

  private String mistakes() {
    List<Mistake> all = new ArrayList<>();
    for (int row = 0; row < confusion.length; row++) {
      for (int column = 0; column < confusion.length; column++) {
        if (row != column && confusion[row][column] > 0) {
          all.add(new Mistake(row, column, confusion[row][column]));
        }
      }
    }
    if (all.isEmpty()) {
      return "<p>No mistake.</p>\n";
    }
    HtmlTable table = new HtmlTable("Actual class", "taken for", "examples", "of the class");
    all.stream()
        .sorted(Comparator.comparingLong(Mistake::count).reversed())
        .limit(MISTAKES)
        .forEach(
            mistake ->
                table.row(
                    classes.get(mistake.actual()).name(),
                    classes.get(mistake.predicted()).name(),
                    Html.count(mistake.count()),
                    Html.percent(shareOfRow(mistake.actual(), mistake.count()))));
    return "<h3>Most frequent mistakes</h3>\n" + table.write();
  }

  private double shareOfRow(int row, long count) {
    return count == 0 ? 0 : (double) count / (double) classes.get(row).examples();
  }
}
