package dev.millrace.job.report;

import dev.millrace.evaluation.Calibration;
import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.evaluation.RegressionResult.Quantile;
import dev.millrace.evaluation.RocCurve;
import java.util.Comparator;
import java.util.List;

/** The pictures of a report. */
final class Charts {

  private Charts() {}

  /** One output's curve. */
  record Roc(String name, Double auc, RocCurve curve) {}

  /** Curves of the outputs; of many, those of the least areas. */
  static String roc(List<Roc> outputs) {
    List<Roc> shown =
        outputs.stream()
            .filter(output -> output.curve() != null)
            .sorted(Comparator.comparing(Roc::auc))
            .limit(Palette.MOST_LINES)
            .toList();
    SvgChart chart = new SvgChart("false positive rate", "true positive rate", 1).diagonal();
    for (int i = 0; i < shown.size(); i++) {
      Roc output = shown.get(i);
      chart.line(
          i,
          "%s: area %s".formatted(output.name(), Html.share(output.auc())),
          output.curve().falsePositiveRates(),
          output.curve().truePositiveRates(),
          false);
    }
    return chart.write();
  }

  /** What came true over what was stated, and how many examples stated it. */
  static String reliability(String name, Calibration calibration) {
    List<Calibration.Bin> filled =
        calibration.bins().stream().filter(bin -> bin.examples() > 0).toList();
    return new SvgChart("stated probability", "share that came true", 1)
        .bars(calibration.bins().stream().map(Calibration.Bin::examples).toList())
        .diagonal()
        .line(
            0,
            "%s: expected calibration error %s"
                .formatted(name, Html.share(calibration.expectedError())),
            filled.stream().mapToDouble(Calibration.Bin::stated).toArray(),
            filled.stream().mapToDouble(Calibration.Bin::observed).toArray(),
            true)
        .write();
  }

  /** Which share of the examples has an error of at most so much, up to the 99th percentile. */
  static String errors(List<Output> outputs) {
    List<Output> shown = outputs.stream().limit(Palette.MOST_LINES).toList();
    double most =
        shown.stream()
            .flatMap(output -> output.absoluteErrors().stream())
            .filter(quantile -> quantile.share() < 1)
            .mapToDouble(Quantile::error)
            .max()
            .orElse(1);
    SvgChart chart = new SvgChart("absolute error", "share of the examples", most);
    for (int i = 0; i < shown.size(); i++) {
      List<Quantile> quantiles =
          shown.get(i).absoluteErrors().stream().filter(q -> q.share() < 1).toList();
      chart.line(
          i,
          shown.get(i).name(),
          quantiles.stream().mapToDouble(Quantile::error).toArray(),
          quantiles.stream().mapToDouble(Quantile::share).toArray(),
          true);
    }
    return chart.write();
  }
}
