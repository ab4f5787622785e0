package dev.millrace.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.evaluation.Calibration;
import dev.millrace.evaluation.Calibration.Bin;
import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.evaluation.RegressionResult.Quantile;
import dev.millrace.evaluation.RocCurve;
import dev.millrace.watch.Document;
import java.util.Comparator;
import java.util.List;

/** The charts of a report. */
final class Charts {

  /** Lines of a chart at most: each has a colour of its own. */
  static final int MOST_LINES = 6;

  private Charts() {}

  /** One output's curve. */
  record Roc(String name, Double auc, RocCurve curve) {}

  /** Curves of the outputs; of many, those of the least areas. */
  static String roc(List<Roc> outputs) {
    List<Roc> shown =
        outputs.stream()
            .filter(output -> output.curve() != null)
            .sorted(Comparator.comparing(Roc::auc))
            .limit(MOST_LINES)
            .toList();
    ObjectNode chart = chart("ROC curves", "false positive rate", "true positive rate", 1);
    for (Roc output : shown) {
      points(
          line(chart, "%s: area %s".formatted(output.name(), Html.share(output.auc()))),
          output.curve().falsePositiveRates(),
          output.curve().truePositiveRates());
    }
    diagonal(chart, "chance");
    return Document.chart(chart);
  }

  /** Draws what came true over what was stated, and how many examples stated it. */
  static String reliability(String name, Calibration calibration) {
    List<Bin> filled = calibration.bins().stream().filter(bin -> bin.examples() > 0).toList();
    if (filled.isEmpty()) {
      return "";
    }
    ObjectNode chart =
        chart("Calibration of " + name, "stated probability", "share that came true", 1);
    points(
        line(
            chart,
            "%s: expected calibration error %s"
                .formatted(name, Html.share(calibration.expectedError()))),
        filled.stream().mapToDouble(Bin::stated).toArray(),
        filled.stream().mapToDouble(Bin::observed).toArray());
    diagonal(chart, "perfect");
    bars(chart, calibration.bins());
    return Document.chart(chart);
  }

  /**
   * Draws which share of the examples has an error of at most so much, up to the 99th percentile.
   */
  static String errors(List<Output> outputs) {
    List<Output> shown =
        outputs.stream()
            .filter(output -> !belowGreatest(output).isEmpty())
            .limit(MOST_LINES)
            .toList();
    if (shown.isEmpty()) {
      return "";
    }
    double most =
        shown.stream()
            .flatMap(output -> belowGreatest(output).stream())
            .mapToDouble(Quantile::error)
            .max()
            .orElseThrow();
    ObjectNode chart =
        chart("Errors", "absolute error", "share of the examples", most > 0 ? most : 1);
    for (Output output : shown) {
      List<Quantile> quantiles = belowGreatest(output);
      points(
          line(chart, output.name()),
          quantiles.stream().mapToDouble(Quantile::error).toArray(),
          quantiles.stream().mapToDouble(Quantile::share).toArray());
    }
    return Document.chart(chart);
  }

  private static List<Quantile> belowGreatest(Output output) {
    return output.absoluteErrors().stream().filter(quantile -> quantile.share() < 1).toList();
  }

  private static ObjectNode chart(String label, String x, String y, double mostX) {
    ObjectNode chart =
        JsonNodeFactory.instance
            .objectNode()
            .put("label", label)
            .put("x", x)
            .put("y", y)
            .put("mostX", mostX)
            .put("mostY", 1);
    chart.putArray("series");
    return chart;
  }

  private static ObjectNode line(ObjectNode chart, String name) {
    return chart.withArray("series").addObject().put("name", name);
  }

  private static void points(ObjectNode line, double[] x, double[] y) {
    ArrayNode points = line.putArray("points");
    for (int i = 0; i < x.length; i++) {
      points.addArray().add(x[i]).add(y[i]);
    }
  }

  private static void diagonal(ObjectNode chart, String name) {
    points(line(chart, name).put("kind", "reference"), new double[] {0, 1}, new double[] {0, 1});
  }

  /** Draws how many examples each bin has, the highest being the most. */
  private static void bars(ObjectNode chart, List<Bin> bins) {
    double most = bins.stream().mapToDouble(Bin::examples).max().orElseThrow();
    double[] x = new double[bins.size() + 1];
    double[] y = new double[bins.size() + 1];
    for (int i = 0; i < bins.size(); i++) {
      x[i] = bins.get(i).from();
      y[i] = bins.get(i).examples() / most;
    }
    x[bins.size()] = bins.get(bins.size() - 1).to();
    points(line(chart, "examples, the most being 1").put("kind", "bars"), x, y);
  }
}
