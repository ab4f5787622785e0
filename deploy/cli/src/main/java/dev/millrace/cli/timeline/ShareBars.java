package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineSummary.Replica;
import dev.millrace.job.report.Html;
import java.util.List;
import java.util.Map;

/** Shares of phases as one stacked bar by replica, as SVG, and the legend of all charts. */
final class ShareBars {

  private static final int LEFT = 84;
  private static final int WIDTH = 620;
  private static final int RIGHT = 28;
  private static final int ROW = 28;
  private static final int BAR = 16;
  private static final int THIN = 4;

  private ShareBars() {}

  static String write(List<Replica> replicas) {
    int height = replicas.size() * ROW + 20;
    int all = LEFT + WIDTH + RIGHT;
    StringBuilder svg =
        new StringBuilder(
            Html.format(
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                    + " aria-label=\"share of each phase by replica\">%n",
                all, height, all, height));
    for (int percent = 0; percent <= 100; percent += 20) {
      double x = LEFT + WIDTH * percent / 100.0;
      svg.append(
          Html.format(
              "<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>"
                  + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d %%</text>%n",
              x, x, height - 16, x, height - 3, percent));
    }
    for (int row = 0; row < replicas.size(); row++) {
      Replica replica = replicas.get(row);
      int top = row * ROW + 3;
      svg.append(
          Html.format(
              "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">replica %d</text>%n",
              LEFT - 8, top + 12, replica.replica()));
      stack(svg, replica.shares(), top, BAR);
      stack(svg, replica.meanwhile(), top + BAR + 2, THIN);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void stack(StringBuilder svg, Map<Phase, Double> shares, int top, int height) {
    double at = 0;
    for (Map.Entry<Phase, Double> entry : shares.entrySet()) {
      // What goes by meanwhile may begin before the period and so exceed it.
      double share = Math.min(entry.getValue(), 1 - at);
      if (share > 0) {
        svg.append(
            Html.format(
                "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\">"
                    + "<title>%s %s</title></rect>%n",
                LEFT + WIDTH * at,
                top,
                WIDTH * share,
                height,
                entry.getKey().colour(),
                entry.getKey().title(),
                Html.percent(entry.getValue())));
        at += share;
      }
    }
  }

  static String legend() {
    StringBuilder html = new StringBuilder("<ul class=\"legend keys\">\n");
    for (Phase phase : Phase.values()) {
      html.append(
          Html.format(
              "<li><svg width=\"12\" height=\"12\"><rect width=\"12\" height=\"12\" fill=\"%s\"/>"
                  + "</svg> %s</li>%n",
              phase.colour(), phase.title()));
    }
    return html.append("</ul>\n").toString();
  }
}
