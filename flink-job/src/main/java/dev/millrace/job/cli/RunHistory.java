package dev.millrace.job.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a run's metrics have told so far. */
final class RunHistory {

  private final List<MetricsLine.Progress> progress = new ArrayList<>();
  private final List<MetricsLine.HoldOut> holdOuts = new ArrayList<>();
  private MetricsLine.Snapshot snapshot;

  void add(MetricsLine line) {
    if (line instanceof MetricsLine.Progress measured) {
      progress.add(measured);
    } else if (line instanceof MetricsLine.HoldOut evaluated) {
      holdOuts.add(evaluated);
    } else if (line instanceof MetricsLine.Snapshot published) {
      snapshot = published;
    }
  }

  List<MetricsLine.Progress> progress() {
    return progress;
  }

  List<MetricsLine.HoldOut> holdOuts() {
    return holdOuts;
  }

  Optional<MetricsLine.Progress> latest() {
    return last(progress);
  }

  Optional<MetricsLine.HoldOut> latestHoldOut() {
    return last(holdOuts);
  }

  Optional<MetricsLine.Snapshot> latestSnapshot() {
    return Optional.ofNullable(snapshot);
  }

  private static <T> Optional<T> last(List<T> lines) {
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(lines.size() - 1));
  }
}
