package dev.millrace.cli.report;

import dev.millrace.evaluation.Calibration;
import dev.millrace.evaluation.Calibration.Bin;
import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.evaluation.RegressionResult.Quantile;
import dev.millrace.evaluation.RocCurve;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures of a report, as PNG within the page. */
final class Charts {

  /** Lines of a chart at most: each has a colour of its own. */
  static final int MOST_LINES = 8;

  private static final int WIDTH = 480;
  private static final int PLOT_HEIGHT = 420;
  private static final int LEGEND_LINE = 22;

  /** People with any kind of colour vision can tell them apart (Okabe and Ito, 2008). */
  private static final List<Integer> COLOURS =
      List.of(0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xb8860b, 0x56b4e9, 0x555555, 0x7b3294);

  private static final Color REFERENCE = Color.GRAY;
  private static final Color BARS = new Color(0xe0e0e0);

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
    XYChart chart = chart("false positive rate", "true positive rate", 1, 1 + shown.size());
    diagonal(chart);
    for (int i = 0; i < shown.size(); i++) {
      Roc output = shown.get(i);
      line(
              chart,
              i,
              "%s: area %s".formatted(output.name(), Html.share(output.auc())),
              output.curve().falsePositiveRates(),
              output.curve().truePositiveRates())
          .setMarker(SeriesMarkers.NONE);
    }
    return image(chart);
  }

  /** What came true over what was stated, and how many examples stated it. */
  static String reliability(String name, Calibration calibration) {
    List<Bin> filled = calibration.bins().stream().filter(bin -> bin.examples() > 0).toList();
    if (filled.isEmpty()) {
      return "";
    }
    XYChart chart = chart("stated probability", "share that came true", 1, 3);
    bars(chart, calibration.bins());
    diagonal(chart);
    line(
        chart,
        0,
        "%s: expected calibration error %s"
            .formatted(name, Html.share(calibration.expectedError())),
        filled.stream().mapToDouble(Bin::stated).toArray(),
        filled.stream().mapToDouble(Bin::observed).toArray());
    return image(chart);
  }

  /** Which share of the examples has an error of at most so much, up to the 99th percentile. */
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
    XYChart chart =
        chart("absolute error", "share of the examples", most > 0 ? most : 1, shown.size());
    for (int i = 0; i < shown.size(); i++) {
      List<Quantile> quantiles = belowGreatest(shown.get(i));
      line(
          chart,
          i,
          shown.get(i).name(),
          quantiles.stream().mapToDouble(Quantile::error).toArray(),
          quantiles.stream().mapToDouble(Quantile::share).toArray());
    }
    return image(chart);
  }

  private static List<Quantile> belowGreatest(Output output) {
    return output.absoluteErrors().stream().filter(quantile -> quantile.share() < 1).toList();
  }

  private static XYChart chart(String xTitle, String yTitle, double xMost, int lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(PLOT_HEIGHT + lines * LEGEND_LINE)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart
        .getStyler()
        .setChartBackgroundColor(Color.WHITE)
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Vertical)
        .setLegendBorderColor(Color.WHITE);
    chart.getStyler().setMarkerSize(6);
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(xMost);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
    return chart;
  }

  private static XYSeries line(XYChart chart, int number, String label, double[] x, double[] y) {
    XYSeries series = chart.addSeries("line " + number, x, y);
    series.setLabel(label);
    colour(series, new Color(COLOURS.get(number)));
    series.setMarker(SeriesMarkers.CIRCLE);
    return series;
  }

  /** By chance, or in perfection. */
  private static void diagonal(XYChart chart) {
    XYSeries series = chart.addSeries("diagonal", new double[] {0, 1}, new double[] {0, 1});
    colour(series, REFERENCE);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(
        new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, new float[] {3}, 0));
  }

  /** How many examples each bin has, the highest being the most. */
  private static void bars(XYChart chart, List<Bin> bins) {
    double most = bins.stream().mapToDouble(Bin::examples).max().orElseThrow();
    double[] x = new double[bins.size() + 1];
    double[] y = new double[bins.size() + 1];
    for (int i = 0; i < bins.size(); i++) {
      x[i] = bins.get(i).from();
      y[i] = bins.get(i).examples() / most;
    }
    x[bins.size()] = bins.get(bins.size() - 1).to();
    XYSeries series = chart.addSeries("examples", x, y);
    series.setXYSeriesRenderStyle(XYSeriesRenderStyle.StepArea);
    colour(series, BARS);
    series.setFillColor(BARS);
    series.setMarker(SeriesMarkers.NONE);
  }

  private static void colour(XYSeries series, Color colour) {
    series.setLineColor(colour);
    series.setMarkerColor(colour);
    series.setLineWidth(2);
  }

  private static String image(XYChart chart) {
    byte[] png;
    try {
      png = BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (LinkageError | RuntimeException e) {
      // What Java throws where the system has no fonts: a bare JRE image, for example.
      return "<p class=\"warning\">Not drawn, this system has no fonts for Java.</p>\n";
    }
    return Html.format(
        "<figure><img alt=\"%s by %s\" width=\"%d\" height=\"%d\""
            + " src=\"data:image/png;base64,%s\"></figure>%n",
        Html.escape(chart.getYAxisTitle()),
        Html.escape(chart.getXAxisTitle()),
        chart.getWidth(),
        chart.getHeight(),
        Base64.getEncoder().encodeToString(png));
  }
}
