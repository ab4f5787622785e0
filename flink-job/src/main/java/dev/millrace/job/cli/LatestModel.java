package dev.millrace.job.cli;

import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

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
  static void addTo(RunHistory history, Path directory, Instant since) throws IOException {
    Path file = directory.resolve(SnapshotWriter.LATEST);
    if (!Files.exists(file) || Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
      return;
    }
    SnapshotDescription model = SnapshotDescription.read(file);
    history.add(
        new MetricsLine.Snapshot(
            model.generation(), model.round(), directory.resolve(model.archive()).toString()));
    SnapshotDescription.Quality holdOut = model.holdOut();
    if (holdOut != null) {
      history.add(
          new MetricsLine.HoldOut(
              Instant.parse(model.created()).toEpochMilli(),
              model.generation(),
              model.round(),
              model.prequential().examples(),
              holdOut.examples(),
              holdOut.accuracy(),
              holdOut.loss(),
              holdOut.mae(),
              holdOut.rmse()));
    }
  }
}
