package dev.millrace.job.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * A chart as SVG within a page. Not by the library that draws learning curves: the report is
 * written where the job runs, whose jar has no such library and whose system may have no fonts.
 */
final class SvgChart {

  private static final int SIDE = 300;
  private static final int LEFT = 56;
  private static final int TOP = 10;
  private static final int BOTTOM = 46;
  private static final int RIGHT = 14;
  private static final int TICKS = 5;

  private final double xMost;
  private final StringBuilder marks = new StringBuilder();
  private final StringBuilder legend = new StringBuilder();
  private final String xTitle;
  private final String yTitle;

  /** A chart from 0 to 1 upwards, and from 0 to {@code xMost} to the right. */
  SvgChart(String xTitle, String yTitle, double xMost) {
    this.xTitle = xTitle;
    this.yTitle = yTitle;
    this.xMost = xMost > 0 ? xMost : 1;
  }

  /** What would be by chance, or in perfection: a thin line from corner to corner. */
  SvgChart diagonal() {
    marks.append(
        Html.format(
            "<line class=\"diagonal\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n",
            LEFT, TOP + SIDE, LEFT + SIDE, TOP));
    return this;
  }

  /**
   * Adds a line.
   *
   * @param number of the line, for its colour
   * @param dots whether its points are marked
   */
  SvgChart line(int number, String name, double[] xs, double[] ys, boolean dots) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < xs.length; i++) {
      points.append(Html.format("%.1f,%.1f ", x(xs[i]), y(ys[i])));
    }
    String colour = Palette.colour(number);
    marks.append(
        Html.format(
            "<polyline points=\"%s\" stroke=\"%s\"%s/>%n",
            points.toString().strip(), colour, Palette.dash(number)));
    for (int i = 0; dots && i < xs.length; i++) {
      marks.append(
          Html.format(
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
              x(xs[i]), y(ys[i]), colour));
    }
    legend.append(
        Html.format(
            "<li><svg width=\"26\" height=\"8\"><line x1=\"0\" y1=\"4\" x2=\"26\" y2=\"4\""
                + " stroke=\"%s\" stroke-width=\"2\"%s/></svg> %s</li>%n",
            colour, Palette.dash(number), Html.escape(name)));
    return this;
  }

  /** Adds bars of one width side by side, as high as their share of the highest. */
  SvgChart bars(List<Long> counts) {
    long most = counts.stream().mapToLong(Long::longValue).max().orElse(0);
    double width = (double) SIDE / Math.max(1, counts.size());
    for (int i = 0; most > 0 && i < counts.size(); i++) {
      double height = (double) SIDE * counts.get(i) / most;
      marks.append(
          Html.format(
              "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
                  + "<title>%,d examples</title></rect>%n",
              LEFT + i * width + 1, TOP + SIDE - height, width - 2, height, counts.get(i)));
    }
    return this;
  }

  String write() {
    int width = LEFT + SIDE + RIGHT;
    int height = TOP + SIDE + BOTTOM;
    return Html.format(
            "<figure><svg class=\"chart\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                + " role=\"img\" aria-label=\"%s by %s\">%n",
            width, height, width, height, Html.escape(yTitle), Html.escape(xTitle))
        + axes()
        + marks
        + "</svg>\n<ul class=\"legend\">\n"
        + legend
        + "</ul></figure>\n";
  }

  private String axes() {
    StringBuilder axes = new StringBuilder();
    for (int tick = 0; tick <= TICKS; tick++) {
      double share = (double) tick / TICKS;
      double x = x(share * xMost);
      double y = y(share);
      axes.append(
          Html.format(
              "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                  + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
              x, TOP, x, TOP + SIDE, x, TOP + SIDE + 16, tickText(share * xMost)));
      axes.append(
          Html.format(
              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
              LEFT, y, LEFT + SIDE, y, LEFT - 6, y + 4, tickText(share)));
    }
    axes.append(
        Html.format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
            LEFT + SIDE / 2, TOP + SIDE + 36, Html.escape(xTitle)));
    axes.append(
        Html.format(
            "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
            TOP + SIDE / 2, Html.escape(yTitle)));
    return axes.toString();
  }

  private static String tickText(double value) {
    if (value != 0 && (value < 1e-3 || value >= 1e5)) {
      return Html.format("%.1e", value);
    }
    return new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private double x(double value) {
    return LEFT + SIDE * Math.min(1, value / xMost);
  }

  private double y(double value) {
    return TOP + SIDE * (1 - value);
  }
}
