package dev.millrace.cli.report;

import dev.millrace.evaluation.ClassificationResult;
import dev.millrace.evaluation.ClassificationResult.ClassResult;
import java.util.Comparator;
import java.util.List;

/** The report on classes. */
final class ClassificationSections {

  /** The most classes that are all shown; of more the worst are. */
  static final int MOST_ROWS = 100;

  private final ClassificationResult result;

  ClassificationSections(ClassificationResult result) {
    this.result = result;
  }

  String write() {
    return new Tiles()
            .add("accuracy", Html.share(result.accuracy()), "most probable class is right")
            .add("F1", Html.share(result.macro().f1()), "mean over the classes")
            .add(
                "AUC",
                Html.share(result.auc() == null ? result.macro().auc() : result.auc()),
                result.auc() == null ? "each class against the others, mean" : "of class 1")
            .add("log loss", Html.share(result.loss()), "mean, natural logarithm")
            .addOfTwoClasses(result.normalizedEntropy(), result.calibrationRatio())
            .add(
                "calibration error",
                Html.share(result.calibration().expectedError()),
                "expected (ECE), 0 is best")
            .add("examples", Html.count(result.examples()), "measured")
            .write()
        + classes()
        + (result.confusion() == null ? "" : new ConfusionSection(result).write())
        + "<h2>ROC and calibration</h2>\n<div class=\"charts\">\n"
        + Charts.roc(
            result.classes().stream().map(c -> new Charts.Roc(c.name(), c.auc(), c.roc())).toList())
        + Charts.reliability("predicted class", result.calibration())
        + "</div>\n"
        + note(result.classes().size());
  }

  /** Says what the charts leave out. */
  static String note(int outputs) {
    return "<p class=\"note\">A ROC curve below the diagonal ranks worse than chance"
        + (outputs > Charts.MOST_LINES
            ? "; of %s, the %s of the least area are drawn".formatted(outputs, Charts.MOST_LINES)
            : "")
        + ". Points of the calibration chart below the diagonal are more confident than right; bars"
        + " show how many examples stated such a probability, the highest being the most.</p>\n";
  }

  private String classes() {
    HtmlTable table =
        new HtmlTable("Class", "examples", "predicted", "precision", "recall", "F1", "AUC");
    shown()
        .forEach(
            c ->
                table.row(
                    c.name(),
                    Html.count(c.examples()),
                    Html.count(c.predicted()),
                    Html.share(c.precision()),
                    Html.share(c.recall()),
                    Html.share(c.f1()),
                    Html.share(c.auc())));
    table.row(
        "mean",
        "",
        "",
        Html.share(result.macro().precision()),
        Html.share(result.macro().recall()),
        Html.share(result.macro().f1()),
        Html.share(result.macro().auc()));
    return "<h2>Classes</h2>\n"
        + (result.classes().size() > MOST_ROWS
            ? "<p>The %s of %s with the least F1.</p>%n"
                .formatted(MOST_ROWS, result.classes().size())
            : "")
        + table.write();
  }

  private List<ClassResult> shown() {
    return result.classes().size() <= MOST_ROWS
        ? result.classes()
        : result.classes().stream()
            .filter(c -> c.f1() != null)
            .sorted(Comparator.comparing(ClassResult::f1))
            .limit(MOST_ROWS)
            .toList();
  }
}
