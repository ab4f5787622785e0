package dev.millrace.cli.timeline;

import dev.millrace.job.report.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Bars of replicas over time, as SVG: a row by replica, a dashed line where a round was closed. */
final class GanttChart {

  private static final int LEFT = 84;
  private static final int TOP = 24;
  private static final int RIGHT = 16;
  private static final int BOTTOM = 42;
  private static final int ROW = 32;
  private static final int BAR = 18;
  private static final int THIN = 4;
  private static final int LEAST_WIDTH = 860;
  private static final int ROUND_WIDTH = 36;
  private static final double LABEL_WIDTH = 44;
  private static final int TICK_WIDTH = 110;

  /** Narrower than what anybody sees. */
  private static final double LEAST_SHOWN = 0.05;

  private final List<TimelineRound> rounds;
  private final List<GanttBar> bars;
  private final List<Integer> replicas;
  private final double begin;
  private final double end;
  private final int width;

  /** Of at least one round. */
  GanttChart(List<TimelineRound> rounds, List<GanttBar> bars) {
    this.rounds = rounds;
    this.bars = bars;
    TreeSet<Integer> numbers = new TreeSet<>();
    bars.forEach(bar -> numbers.add(bar.member().replica()));
    this.replicas = new ArrayList<>(numbers);
    double lastEnd = (double) rounds.get(rounds.size() - 1).time();
    double least = bars.stream().mapToDouble(GanttBar::start).min().orElse(lastEnd - 1);
    this.end = Math.max(lastEnd, least + 1);
    this.begin = Math.max(least, rounds.get(0).time() - longestRound());
    this.width = Math.max(LEAST_WIDTH, rounds.size() * ROUND_WIDTH);
  }

  /**
   * Between two that are shown: what a replica did before the first may have taken much longer,
   * such as a start.
   */
  private double longestRound() {
    long longest = 0;
    for (int i = 1; i < rounds.size(); i++) {
      longest = Math.max(longest, rounds.get(i).time() - rounds.get(i - 1).time());
    }
    return longest > 0 ? (double) longest : Double.MAX_VALUE;
  }

  String write() {
    int height = TOP + replicas.size() * ROW + BOTTOM;
    int all = LEFT + width + RIGHT;
    StringBuilder svg =
        new StringBuilder(
            Html.format(
                "<div class=\"wide\"><svg class=\"chart fixed\" viewBox=\"0 0 %d %d\" width=\"%d\""
                    + " height=\"%d\" role=\"img\" aria-label=\"phases of replicas over time\">%n",
                all, height, all, height));
    axis(svg);
    for (int row = 0; row < replicas.size(); row++) {
      svg.append(
          Html.format(
              "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">replica %d</text>%n",
              LEFT - 8, top(row) + 14, replicas.get(row)));
    }
    bars.forEach(bar -> bar(svg, bar));
    closings(svg);
    return svg.append("</svg></div>\n").toString();
  }

  private void axis(StringBuilder svg) {
    int bottom = TOP + replicas.size() * ROW;
    double step = niceStep((end - begin) * TICK_WIDTH / width);
    boolean seconds = step >= 1000;
    for (double millis = 0; millis <= end - begin; millis += step) {
      double x = x(begin + millis);
      svg.append(
          Html.format(
              "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                  + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
              x,
              TOP,
              x,
              bottom,
              x,
              bottom + 16,
              tickText(seconds ? millis / 1000 : millis, seconds ? step / 1000 : step)));
    }
    svg.append(
        Html.format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
            LEFT + width / 2, bottom + 34, seconds ? "seconds" : "milliseconds"));
  }

  private void closings(StringBuilder svg) {
    int bottom = TOP + replicas.size() * ROW;
    long every = (long) Math.max(1, niceStep(LABEL_WIDTH * rounds.size() / width));
    double labelled = Double.NEGATIVE_INFINITY;
    for (TimelineRound round : rounds) {
      double x = x((double) round.time());
      svg.append(
          Html.format(
              "<line class=\"closing\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
              x, TOP - 4, x, bottom));
      if (round.round() % every == 0 && x - labelled >= LABEL_WIDTH / 2) {
        labelled = x;
        svg.append(
            Html.format(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                x, TOP - 8, round.round()));
      }
      svg.append('\n');
    }
  }

  private void bar(StringBuilder svg, GanttBar bar) {
    int top = top(replicas.indexOf(bar.member().replica()));
    svg.append("<g><title>").append(Html.escape(title(bar))).append("</title>");
    double at = bar.start();
    for (Phase phase : Phase.values()) {
      double millis = bar.times().millis(phase);
      rectangle(svg, at, millis, top, BAR, phase);
      at += millis;
    }
    // The contribution before was sent when this period began.
    at = bar.start();
    for (Phase phase : Phase.values()) {
      double millis = bar.times().meanwhile(phase);
      rectangle(svg, at, millis, top + BAR + 2, THIN, phase);
      at += millis;
    }
    svg.append("</g>\n");
  }

  private void rectangle(
      StringBuilder svg, double start, double millis, int top, int height, Phase phase) {
    double from = x(Math.max(begin, start));
    double to = x(Math.min(end, start + millis));
    if (to - from >= LEAST_SHOWN) {
      svg.append(
          Html.format(
              "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>",
              from, top, to - from, height, phase.colour()));
    }
  }

  private static String title(GanttBar bar) {
    StringBuilder title =
        new StringBuilder(
            Html.format(
                "replica %d, contribution %d, in round %s: %d steps in %s",
                bar.member().replica(),
                bar.member().sequence(),
                bar.round().version(),
                bar.member().steps(),
                Millis.text(bar.member().elapsed())));
    for (Phase phase : Phase.values()) {
      if (bar.times().millis(phase) > 0) {
        title.append("\n%s %s".formatted(phase.title(), Millis.text(bar.times().millis(phase))));
      }
      if (bar.times().meanwhile(phase) > 0) {
        title.append(
            "\n%s, meanwhile %s"
                .formatted(phase.title(), Millis.text(bar.times().meanwhile(phase))));
      }
    }
    return title.toString();
  }

  /** 1, 2 or 5 times a power of ten, not below {@code least}. */
  private static double niceStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double step : new double[] {1, 2, 5}) {
      if (step * power >= least) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private static String tickText(double value, double step) {
    int digits = (int) Math.max(0, -Math.floor(Math.log10(step)));
    return Html.format("%,." + digits + "f", value);
  }

  private static int top(int row) {
    return TOP + row * ROW + 3;
  }

  private double x(double time) {
    return LEFT + width * (time - begin) / (end - begin);
  }
}
