package dev.millrace.cli.report;

import dev.millrace.evaluation.ClassificationResult;
import dev.millrace.evaluation.EvaluationResult;
import dev.millrace.evaluation.MultiLabelResult;
import dev.millrace.evaluation.RegressionResult;
import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.watch.Document;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The page of an evaluation, of its measures and nothing else. */
public final class ReportPage {

  private final EvaluationReport report;

  public ReportPage(EvaluationReport report) {
    this.report = report;
  }

  /** One page of HTML that needs nothing else: no server, no other file, no font from elsewhere. */
  public String write() {
    return Document.write(
        "Evaluation of " + nameOfModel(),
        style(),
        facts()
            + warnings()
            + sections(report.result())
            + "<footer>Millrace %s</footer>%n".formatted(Document.escape(report.millrace())));
  }

  private static String style() {
    try (InputStream in = ReportPage.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sections(EvaluationResult result) {
    if (result instanceof ClassificationResult classes) {
      return new ClassificationSections(classes).write();
    }
    if (result instanceof MultiLabelResult labels) {
      return new MultiLabelSections(labels).write();
    }
    return new RegressionSections((RegressionResult) result).write();
  }

  private String nameOfModel() {
    String archive = report.model().archive();
    return archive.substring(archive.lastIndexOf('/') + 1);
  }

  private String facts() {
    ReportSubject.Model model = report.model();
    ReportSubject.Data data = report.data();
    return "<dl class=\"facts\">\n"
        + fact("Model", model.archive())
        + (model.version() == null ? "" : fact("Version", model.version()))
        + fact(
            "Network",
            Html.format(
                "%s (%s), %,d parameters%s",
                model.kind(),
                model.engine(),
                model.parameters(),
                model.standardized() ? ", features standardized" : ""))
        + fact("Data", data.source() + (data.part() == null ? "" : ", " + data.part()))
        + fact(
            "Examples",
            Html.format(
                "%,d features, %,d outputs, %s",
                report.shape().features(), report.shape().outputs(), report.shape().target()))
        + "</dl>\n";
  }

  private static String fact(String name, String value) {
    return "<dt>%s</dt><dd>%s</dd>%n".formatted(name, Document.escape(value));
  }

  private String warnings() {
    StringBuilder html = new StringBuilder();
    if (report.result().examples() == 0) {
      html.append("<p class=\"warning\">There is no example to measure.</p>\n");
    }
    if (report.unusable() > 0) {
      html.append(
          Html.format(
              "<p class=\"warning\">Left out are %,d of %,d examples: the model predicts no finite"
                  + " number for them.</p>%n",
              report.unusable(), report.unusable() + report.result().examples()));
    }
    if (report.rejected().count() > 0) {
      html.append(
          Html.format(
              "<p class=\"warning\">Rejected are %,d of %,d records, being no examples. The"
                  + " first:</p>%n<ul>%n",
              report.rejected().count(),
              report.rejected().count() + report.unusable() + report.result().examples()));
      report
          .rejected()
          .first()
          .forEach(
              reason ->
                  html.append(
                      Html.format(
                          "<li>%s: %s</li>%n",
                          Document.escape(reason.where()), Document.escape(reason.reason()))));
      html.append("</ul>\n");
    }
    return html.toString();
  }
}
