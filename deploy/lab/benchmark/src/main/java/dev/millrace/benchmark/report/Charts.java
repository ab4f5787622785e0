package dev.millrace.benchmark.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws PNG files. */
public final class Charts {

  private static final int WIDTH = 1100;
  private static final int HEIGHT = 520;

  private Charts() {}

  /**
   * Groups of bars side by side.
   *
   * @param series bars of each name, group by group
   */
  public static void write(
      Path file, String title, String unit, List<String> groups, Map<String, List<Double>> series)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(unit)
            .build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.9);
    series.forEach((name, values) -> chart.addSeries(name, groups, new ArrayList<>(values)));
    save(chart, file);
  }

  /**
   * Lines over one axis, both axes logarithmic.
   *
   * @param series values of each name, as many as there are on the x axis
   */
  public static void writeCurves(
      Path file,
      String title,
      String xTitle,
      String yTitle,
      List<Double> x,
      Map<String, List<Double>> series)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisLogarithmic(true);
    series.forEach(
        (name, values) -> chart.addSeries(name, x, values).setMarker(SeriesMarkers.NONE));
    save(chart, file);
  }

  /**
   * Lines, each with places on the x axis of its own, over linear axes.
   *
   * @param series points of each name, x and y
   */
  public static void writeLines(
      Path file, String title, String xTitle, String yTitle, Map<String, List<double[]>> series)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    style(chart.getStyler());
    series.forEach(
        (name, points) ->
            chart
                .addSeries(
                    name,
                    points.stream().map(point -> point[0]).toList(),
                    points.stream().map(point -> point[1]).toList())
                .setMarker(SeriesMarkers.NONE));
    save(chart, file);
  }

  private static void style(Styler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
  }

  private static void save(Chart<?, ?> chart, Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
