package dev.millrace.cli.report;

import dev.millrace.evaluation.MultiLabelResult;
import dev.millrace.evaluation.MultiLabelResult.LabelResult;
import java.util.Comparator;
import java.util.List;

/** The report on labels that don't exclude each other. */
final class MultiLabelSections {

  private static final int MOST_DIAGRAMS = 6;

  private final MultiLabelResult result;

  MultiLabelSections(MultiLabelResult result) {
    this.result = result;
  }

  String write() {
    StringBuilder html =
        new StringBuilder(
            new Tiles()
                .add("accuracy", Html.share(result.accuracy()), "whole set of labels is right")
                .add("F1", Html.share(result.macro().f1()), "mean over the labels")
                .add("AUC", Html.share(result.macro().auc()), "mean over the labels")
                .add("log loss", Html.share(result.loss()), "mean over examples and labels")
                .addOfTwoClasses(result.normalizedEntropy(), result.calibrationRatio())
                .add("examples", Html.count(result.examples()), "measured")
                .write());
    html.append(labels()).append("<h2>ROC and calibration</h2>\n<div class=\"charts\">\n");
    html.append(
        Charts.roc(
            result.labels().stream()
                .map(label -> new Charts.Roc(label.name(), label.auc(), label.roc()))
                .toList()));
    worstCalibrated()
        .forEach(label -> html.append(Charts.reliability(label.name(), label.calibration())));
    return html + "</div>\n" + ClassificationSections.note(result.labels().size());
  }

  private List<LabelResult> worstCalibrated() {
    return result.labels().stream()
        .filter(label -> label.calibration().expectedError() != null)
        .sorted(Comparator.comparing((LabelResult l) -> l.calibration().expectedError()).reversed())
        .limit(MOST_DIAGRAMS)
        .toList();
  }

  private String labels() {
    HtmlTable table =
        new HtmlTable(
            "Label",
            "examples",
            "right",
            "too much",
            "missed",
            "accuracy",
            "precision",
            "recall",
            "F1",
            "AUC",
            "ECE");
    result
        .labels()
        .forEach(
            label ->
                table.row(
                    label.name(),
                    Html.count(label.examples()),
                    Html.count(label.truePositives()),
                    Html.count(label.falsePositives()),
                    Html.count(label.falseNegatives()),
                    Html.share(label.accuracy()),
                    Html.share(label.precision()),
                    Html.share(label.recall()),
                    Html.share(label.f1()),
                    Html.share(label.auc()),
                    Html.share(label.calibration().expectedError())));
    return "<h2>Labels</h2>\n" + table.write();
  }
}
