package dev.millrace.cli.forget;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Published models that have learned some records. */
final class KnowingModels {

  private KnowingModels() {}

  /**
   * Finds them by the ledgers in their descriptions.
   *
   * @param directory that models are published to
   */
  static List<ModelVersion> of(String directory, RecordSet records) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotPlace.of(directory).open());
    List<ModelVersion> knowing = new ArrayList<>();
    for (ModelVersion version : catalog.versions()) {
      Optional<SnapshotDescription> description = catalog.find(version);
      if (description.isPresent() && knowsOne(description.get(), records)) {
        knowing.add(version);
      }
    }
    return knowing;
  }

  private static boolean knowsOne(SnapshotDescription model, RecordSet records) {
    return records.runs().stream()
        .anyMatch(run -> model.ledger().stream().anyMatch(progress -> knowsOne(progress, run)));
  }

  private static boolean knowsOne(PartitionProgress progress, RecordRun run) {
    Long last = progress.learned().last();
    return progress.topic().equals(run.topic())
        && progress.partition() == run.partition()
        && last != null
        && last >= run.first();
  }
}
