package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.Distribution.Quantiles;
import dev.millrace.cli.timeline.TimelineSummary.Replica;
import dev.millrace.job.report.Html;
import dev.millrace.job.report.HtmlTable;
import dev.millrace.job.report.Page;
import dev.millrace.job.report.Tiles;
import dev.millrace.snapshot.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The page of a {@link TimelineSummary}. */
final class TimelinePage {

  private final String file;
  private final Optional<String> note;
  private final TimelineSummary summary;
  private final List<TimelineRound> latest;
  private final List<GanttBar> bars;

  TimelinePage(
      String file,
      Optional<String> note,
      TimelineSummary summary,
      List<TimelineRound> latest,
      List<GanttBar> bars) {
    this.file = file;
    this.note = note;
    this.summary = summary;
    this.latest = latest;
    this.bars = bars;
  }

  String write() {
    return Page.write(
        "Where the time of training went",
        Release.version(),
        facts()
            + note.map(text -> "<p class=\"warning\">Of the file, " + Html.escape(text) + "</p>\n")
                .orElse("")
            + tiles()
            + advice()
            + shares()
            + gantt()
            + distributions());
  }

  private String facts() {
    return Html.format(
        "<dl>%n<dt>Records</dt><dd>%s</dd>%n<dt>Rounds</dt><dd>%s to %s, closed from %s to %s</dd>%n"
            + "</dl>%n",
        Html.escape(file),
        summary.first(),
        summary.last(),
        Instant.ofEpochMilli(summary.begin()),
        Instant.ofEpochMilli(summary.end()));
  }

  private String tiles() {
    Tiles tiles =
        new Tiles()
            .add("rounds", Html.count(summary.rounds()), "with a timeline")
            .add(
                "rounds per second",
                summary.roundsPerSecond() == null
                    ? "–"
                    : Html.format("%.2f", summary.roundsPerSecond()),
                "restarts left out")
            .add("local fit", Html.percent(summary.share(Phase.FIT)), "of the replicas' time")
            .add("wait", Html.percent(summary.share(Phase.WAIT)), "for other replicas")
            .add(
                "exchange",
                Html.percent(summary.share(Phase.ENCODE, Phase.EXCHANGE, Phase.APPLY)),
                "encode and apply included");
    if (summary.slowest() != null) {
      tiles.add(
          "slowest replica",
          "%d".formatted(summary.slowest().replica()),
          Html.format(
              "%s a step, the others %s",
              Millis.text(summary.slowest().stepTime()),
              Millis.text(summary.slowest().othersStepTime())));
    }
    return tiles.write();
  }

  private String advice() {
    StringBuilder html = new StringBuilder();
    summary
        .advice()
        .forEach(sentence -> html.append("<p>").append(Html.escape(sentence)).append("</p>\n"));
    return html.toString();
  }

  private String shares() {
    boolean meanwhile = !summary.meanwhile().isEmpty();
    List<String> header = new ArrayList<>(List.of("Replica", "rounds", "steps", "time per step"));
    columns().forEach(phase -> header.add(phase.title()));
    if (meanwhile) {
      header.add("wait meanwhile");
      header.add("exchange meanwhile");
    }
    HtmlTable table = new HtmlTable(header.toArray(String[]::new));
    for (Replica replica : summary.replicas()) {
      table.row(
          cells(
              "replica\u00a0" + replica.replica(),
              Html.count(replica.contributions()),
              Html.count(replica.steps()),
              replica.stepTime() == null ? "–" : Millis.text(replica.stepTime()),
              replica.shares(),
              replica.meanwhile(),
              meanwhile));
    }
    table.row(
        cells(
            "all",
            Html.count(summary.replicas().stream().mapToLong(Replica::contributions).sum()),
            Html.count(summary.replicas().stream().mapToLong(Replica::steps).sum()),
            "",
            summary.shares(),
            summary.meanwhile(),
            meanwhile));
    return "<h2>Share of each phase</h2>\n<figure>\n"
        + ShareBars.write(summary.replicas())
        + ShareBars.legend()
        + "</figure>\n"
        + table.write()
        + "<p class=\"note\">Time per step is the median, without waiting and exchange. Other is what"
        + " no phase explains: lacking examples, checkpoints, the start."
        + (meanwhile
            ? " What went by while a replica trained costs it no time: the thin line below its bar."
            : "")
        + "</p>\n";
  }

  /** Without what only went by meanwhile. */
  private List<Phase> columns() {
    return Arrays.stream(Phase.values())
        .filter(phase -> summary.shares().get(phase) > 0 || !summary.meanwhile().containsKey(phase))
        .toList();
  }

  private String[] cells(
      String name,
      String contributions,
      String steps,
      String stepTime,
      Map<Phase, Double> shares,
      Map<Phase, Double> meanwhile,
      boolean withMeanwhile) {
    List<String> cells = new ArrayList<>(List.of(name, contributions, steps, stepTime));
    columns().forEach(phase -> cells.add(Html.percent(shares.get(phase))));
    if (withMeanwhile) {
      cells.add(Html.percent(meanwhile.getOrDefault(Phase.WAIT, 0.0)));
      cells.add(Html.percent(meanwhile.getOrDefault(Phase.EXCHANGE, 0.0)));
    }
    return cells.toArray(String[]::new);
  }

  private String gantt() {
    return (latest.size() == 1
            ? "<h2>The last round</h2>\n"
            : Html.format("<h2>The last %d rounds</h2>%n", latest.size()))
        + new GanttChart(latest, bars).write()
        + ShareBars.legend()
        + "<p class=\"note\">A dashed line is where a round was closed. What is between two"
        + " contributions is drawn in the order wait, exchange, apply, other, fit, encode; when"
        + " exactly other was isn't known. Clocks of replicas are told apart to within about a"
        + " millisecond.</p>\n";
  }

  private String distributions() {
    HtmlTable table = new HtmlTable("", "count", "median", "p90", "p99", "max");
    row(table, "round latency", summary.roundLatency());
    row(table, "local fit per step", summary.fitPerStep());
    row(table, "round duration", summary.roundDuration());
    return "<h2>Distributions</h2>\n"
        + table.write()
        + "<p class=\"note\">Round latency is from sending a contribution to knowing its round: wait"
        + " and exchange. Round duration is between the ends of rounds that follow each"
        + " other.</p>\n";
  }

  private static void row(HtmlTable table, String name, Quantiles quantilesOrNull) {
    if (quantilesOrNull == null) {
      table.row(name, "0", "–", "–", "–", "–");
      return;
    }
    table.row(
        name,
        Html.count(quantilesOrNull.count()),
        Millis.text(quantilesOrNull.median()),
        Millis.text(quantilesOrNull.p90()),
        Millis.text(quantilesOrNull.p99()),
        Millis.text(quantilesOrNull.max()));
  }
}
