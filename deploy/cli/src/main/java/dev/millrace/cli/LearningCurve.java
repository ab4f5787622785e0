package dev.millrace.cli;

import dev.millrace.cli.progress.MetricsLine;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of a run: how well the latest examples were predicted before they were learned from,
 * over the examples learned from, and what the hold-out set said. Accuracy where there is one, loss
 * otherwise.
 */
final class LearningCurve {

  private static final Color WINDOW_COLOUR = new Color(0x1F, 0x4E, 0x79);
  private static final Color HOLD_OUT_COLOUR = new Color(0xD9, 0x6B, 0x0B);
  private static final Color DRIFT_COLOUR = new Color(0x8E, 0x24, 0xAA);
  private static final Color FOUND_COLOUR = new Color(0x2E, 0x7D, 0x32);

  private final RunHistory history;
  private final OptionalLong drift;

  /**
   * @param drift the example at which the data changes abruptly, if it does
   */
  LearningCurve(RunHistory history, OptionalLong drift) {
    this.history = history;
    this.drift = drift;
  }

  /** Writes a PNG; does nothing and returns false where there is nothing to show. */
  boolean write(Path file) throws IOException {
    boolean accuracy = history.latest().map(MetricsLine.Progress::windowAccuracy).isPresent();
    Points window =
        Points.of(
            history.progress(),
            MetricsLine.Progress::examples,
            accuracy ? MetricsLine.Progress::windowAccuracy : MetricsLine.Progress::windowLoss);
    if (window.isEmpty()) {
      return false;
    }
    Points holdOut =
        Points.of(
            history.holdOuts(),
            MetricsLine.HoldOut::learned,
            accuracy ? MetricsLine.HoldOut::accuracy : MetricsLine.HoldOut::loss);
    BitmapEncoder.saveBitmap(
        chart(window, holdOut, accuracy), file.toString(), BitmapEncoder.BitmapFormat.PNG);
    return true;
  }

  private XYChart chart(Points window, Points holdOut, boolean accuracy) {
    String measure = accuracy ? "accuracy" : "loss";
    XYChart chart =
        new XYChartBuilder()
            .width(1000)
            .height(560)
            .title("Learning curve")
            .xAxisTitle("examples learned from")
            .yAxisTitle(measure)
            .build();
    chart
        .getStyler()
        .setChartBackgroundColor(Color.WHITE)
        .setLegendPosition(
            accuracy ? Styler.LegendPosition.InsideSE : Styler.LegendPosition.InsideNE)
        .setDecimalPattern("#,##0.##");
    chart.getStyler().setXAxisMin(0.0);
    if (accuracy) {
      chart.getStyler().setYAxisMax(1.0);
    }
    add(chart, "latest examples, before learning", window, WINDOW_COLOUR, 2f)
        .setMarker(SeriesMarkers.NONE);
    if (!holdOut.isEmpty()) {
      add(chart, "hold-out set", holdOut, HOLD_OUT_COLOUR, 1f).setMarker(SeriesMarkers.CIRCLE);
    }
    List<Points> shown = Stream.of(window, holdOut).toList();
    drift.ifPresent(at -> addLine(chart, "drift", at, shown, DRIFT_COLOUR));
    for (int i = 0; i < history.drifts().size(); i++) {
      XYSeries found =
          addLine(
              chart,
              i == 0 ? "drift found" : "drift found, " + (i + 1),
              history.drifts().get(i).examples(),
              shown,
              FOUND_COLOUR);
      found.setShowInLegend(i == 0);
    }
    return chart;
  }

  private static XYSeries add(
      XYChart chart, String name, Points points, Color colour, float width) {
    XYSeries series = chart.addSeries(name, points.x(), points.y());
    series.setMarkerColor(colour);
    series.setLineColor(colour);
    series.setLineStyle(new BasicStroke(width));
    return series;
  }

  private static XYSeries addLine(
      XYChart chart, String name, long at, List<Points> shown, Color colour) {
    double low = shown.stream().mapToDouble(Points::least).min().orElse(0);
    double high = shown.stream().mapToDouble(Points::greatest).max().orElse(1);
    Points line = new Points(new double[] {at, at}, new double[] {low, high});
    XYSeries series = add(chart, name, line, colour, 1f);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(
        new BasicStroke(
            1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10f, new float[] {6f}, 0f));
    return series;
  }

  /** A series as the chart takes it; lines without the measure are left out. */
  private record Points(double[] x, double[] y) {

    static <T> Points of(List<T> lines, Function<T, Long> x, Function<T, Double> y) {
      List<T> measured =
          lines.stream()
              .filter(line -> y.apply(line) != null && Double.isFinite(y.apply(line)))
              .toList();
      return new Points(
          measured.stream().mapToDouble(line -> x.apply(line)).toArray(),
          measured.stream().mapToDouble(line -> y.apply(line)).toArray());
    }

    boolean isEmpty() {
      return x.length == 0;
    }

    double least() {
      return Arrays.stream(y).min().orElse(Double.MAX_VALUE);
    }

    double greatest() {
      return Arrays.stream(y).max().orElse(-Double.MAX_VALUE);
    }
  }
}
