package dev.millrace.cli.run;

import dev.millrace.cli.progress.MetricsLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metric records of a run so far, and the newest of each kind. */
final class RunHistory {

  static final int MOST_LINES = 10_000;

  private final List<MetricsLine.Progress> progress = new ArrayList<>();
  private final List<MetricsLine.HoldOut> holdOuts = new ArrayList<>();
  private final List<MetricsLine.Drift> drifts = new ArrayList<>();
  private MetricsLine.Snapshot snapshot;

  public void add(MetricsLine line) {
    if (line instanceof MetricsLine.Progress measured) {
      progress.add(measured);
      thin(progress);
    } else if (line instanceof MetricsLine.HoldOut evaluated) {
      holdOuts.add(evaluated);
      thin(holdOuts);
    } else if (line instanceof MetricsLine.Snapshot published) {
      snapshot = published;
    } else if (line instanceof MetricsLine.Drift found && isAnother(found)) {
      drifts.add(found);
      thin(drifts);
    }
  }

  /** Tells drifts apart: what is found in the pause after one, or found again, is of the same. */
  private boolean isAnother(MetricsLine.Drift found) {
    return drifts.isEmpty()
        || (found.reacted() && found.examples() > drifts.get(drifts.size() - 1).examples());
  }

  /** Runs may take months: of too many lines every second one goes, the first and last stay. */
  private static <T> void thin(List<T> lines) {
    if (lines.size() > MOST_LINES) {
      T last = lines.get(lines.size() - 1);
      List<T> kept = new ArrayList<>();
      for (int i = 0; i < lines.size() - 1; i += 2) {
        kept.add(lines.get(i));
      }
      kept.add(last);
      lines.clear();
      lines.addAll(kept);
    }
  }

  public List<MetricsLine.Progress> progress() {
    return progress;
  }

  public List<MetricsLine.HoldOut> holdOuts() {
    return holdOuts;
  }

  public List<MetricsLine.Drift> drifts() {
    return drifts;
  }

  public Optional<MetricsLine.Progress> latest() {
    return last(progress);
  }

  public Optional<MetricsLine.HoldOut> latestHoldOut() {
    return last(holdOuts);
  }

  public Optional<MetricsLine.Snapshot> latestSnapshot() {
    return Optional.ofNullable(snapshot);
  }

  private static <T> Optional<T> last(List<T> lines) {
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(lines.size() - 1));
  }
}
