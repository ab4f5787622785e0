package dev.millrace.cli.run;

import dev.millrace.cli.progress.MetricsLine;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The model that a run published last, by its description. A job that is stopped publishes its last
 * model when its metrics have ended already, so they don't tell of it.
 */
final class LatestModel {

  private LatestModel() {}

  /**
   * Adds it to the history.
   *
   * @param since descriptions written before are of another run
   */
  public static void addTo(RunHistory history, Path directory, Instant since) throws IOException {
    Optional<LatestSnapshot> latest = LatestSnapshot.find(directory);
    if (latest.isEmpty() || latest.get().description().created().isBefore(since)) {
      return;
    }
    SnapshotDescription model = latest.get().description();
    ModelVersion version = model.version();
    history.add(
        new MetricsLine.Snapshot(
            version.generation(), version.round(), latest.get().archive().toString()));
    addProgress(history, model);
    Quality holdOut = model.holdOut();
    if (holdOut != null) {
      history.add(
          new MetricsLine.HoldOut(
              model.created().toEpochMilli(),
              version.generation(),
              version.round(),
              model.prequential().examples(),
              holdOut.examples(),
              holdOut.accuracy(),
              holdOut.loss(),
              holdOut.auc(),
              holdOut.meanAbsoluteError(),
              holdOut.rootMeanSquaredError()));
    }
  }

  /**
   * The window of measures and the refusals are not the model's. They stay as they were last seen:
   * that was as of the last checkpoint, which the model is of.
   */
  private static void addProgress(RunHistory history, SnapshotDescription model) {
    ModelVersion version = model.version();
    Optional<MetricsLine.Progress> seen = history.latest();
    if (seen.map(MetricsLine.Progress::version).equals(Optional.of(version.toString()))) {
      return;
    }
    Quality quality = model.prequential();
    history.add(
        new MetricsLine.Progress(
            model.created().toEpochMilli(),
            version.generation(),
            version.round(),
            quality.examples(),
            model.ledger().stream().mapToLong(entry -> entry.rejected().count()).sum(),
            seen.map(MetricsLine.Progress::refused).orElse(null),
            quality.accuracy(),
            quality.loss(),
            seen.map(MetricsLine.Progress::windowAccuracy).orElse(null),
            seen.map(MetricsLine.Progress::windowLoss).orElse(null),
            quality.auc(),
            seen.map(MetricsLine.Progress::windowAuc).orElse(null),
            quality.meanAbsoluteError(),
            quality.rootMeanSquaredError()));
  }
}
