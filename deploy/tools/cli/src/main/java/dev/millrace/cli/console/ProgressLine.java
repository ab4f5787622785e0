package dev.millrace.cli.console;

import dev.millrace.cli.progress.MetricsLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** How progress reads, in one line. */
public final class ProgressLine {

  private final OptionalLong total;

  /**
   * @param total examples of the whole input, where it has an end
   */
  public ProgressLine(OptionalLong total) {
    this.total = total;
  }

  public String format(MetricsLine.Progress progress, ThroughputMeter meter) {
    List<String> parts = new ArrayList<>();
    parts.add(examples(progress));
    parts.add(String.format(Locale.ROOT, "%,.0f/s", meter.examplesPerSecond()));
    if (progress.windowAccuracy() != null) {
      parts.add(number("accuracy", progress.windowAccuracy()));
      addNumber(parts, "AUC", progress.windowAuc());
    } else {
      addNumber(parts, "MAE", progress.mae());
      addNumber(parts, "RMSE", progress.rmse());
    }
    addNumber(
        parts, "loss", progress.windowLoss() != null ? progress.windowLoss() : progress.loss());
    parts.add("round " + progress.round());
    parts.add("version " + progress.version());
    if (progress.rejected() > 0) {
      parts.add(String.format(Locale.ROOT, "%,d rejected", progress.rejected()));
    }
    total.ifPresent(all -> parts.add("ETA " + eta(all - taken(progress), meter)));
    return String.join(" · ", parts);
  }

  private String examples(MetricsLine.Progress progress) {
    if (total.isEmpty()) {
      return String.format(Locale.ROOT, "%,d examples", progress.examples());
    }
    long all = Math.max(1, total.getAsLong());
    return String.format(
        Locale.ROOT,
        "%,d of %,d examples (%d %%)",
        progress.examples(),
        total.getAsLong(),
        Math.min(100, 100 * taken(progress) / all));
  }

  /** Rejected records are done with too. */
  private static long taken(MetricsLine.Progress progress) {
    return progress.examples() + progress.rejected();
  }

  private static String eta(long remaining, ThroughputMeter meter) {
    if (remaining <= 0) {
      return "0:00";
    }
    OptionalLong seconds = meter.secondsFor(remaining);
    return seconds.isEmpty() ? "?" : duration(seconds.getAsLong());
  }

  /** {@code 1:05} or {@code 2:00:09}. */
  public static String duration(long seconds) {
    long hours = seconds / 3600;
    return hours > 0
        ? String.format(Locale.ROOT, "%d:%02d:%02d", hours, seconds / 60 % 60, seconds % 60)
        : String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }

  private static void addNumber(List<String> parts, String name, Double value) {
    if (value != null) {
      parts.add(number(name, value));
    }
  }

  private static String number(String name, double value) {
    return String.format(Locale.ROOT, "%s %.4f", name, value);
  }
}
