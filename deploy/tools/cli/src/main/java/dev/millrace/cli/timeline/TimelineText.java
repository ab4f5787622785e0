package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.Distribution.Quantiles;
import dev.millrace.cli.timeline.TimelineSummary.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A {@link TimelineSummary} in a few lines. */
final class TimelineText {

  private final TimelineSummary summary;

  TimelineText(TimelineSummary summary) {
    this.summary = summary;
  }

  String write() {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "Rounds:      %,d of %d replicas, %s to %s%s",
            summary.rounds(),
            summary.replicas().size(),
            summary.first(),
            summary.last(),
            summary.roundsPerSecond() == null
                ? ""
                : format(": %.2f/s", summary.roundsPerSecond())));
    lines.add("Time:        " + shares(summary.shares()));
    if (!summary.meanwhile().isEmpty()) {
      lines.add("Meanwhile:   " + list(summary.meanwhile()));
    }
    if (summary.replicas().size() > 1) {
      for (Replica replica : summary.replicas()) {
        lines.add(format("  replica %-2d %s", replica.replica(), shares(replica.shares())));
      }
    }
    lines.add("Latency:     " + quantiles(summary.roundLatency()));
    lines.add("Fit a step:  " + quantiles(summary.fitPerStep()));
    lines.add("A round:     " + quantiles(summary.roundDuration()));
    if (summary.slowest() != null) {
      lines.add(
          format(
              "Slowest:     replica %d, %s a step; the others %s",
              summary.slowest().replica(),
              Millis.text(summary.slowest().stepTime()),
              Millis.text(summary.slowest().othersStepTime())));
    }
    lines.addAll(summary.advice());
    return String.join(System.lineSeparator(), lines);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String shares(Map<Phase, Double> shares) {
    return Arrays.stream(Phase.values())
        .map(phase -> share(phase, shares.get(phase)))
        .collect(Collectors.joining(", "));
  }

  private static String list(Map<Phase, Double> shares) {
    return shares.entrySet().stream()
        .map(entry -> share(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String share(Phase phase, double share) {
    return format("%s %.1f %%", phase.title(), 100 * share);
  }

  private static String quantiles(Quantiles quantilesOrNull) {
    return quantilesOrNull == null
        ? "none"
        : "median %s, p90 %s, p99 %s, max %s"
            .formatted(
                Millis.text(quantilesOrNull.median()),
                Millis.text(quantilesOrNull.p90()),
                Millis.text(quantilesOrNull.p99()),
                Millis.text(quantilesOrNull.max()));
  }
}
