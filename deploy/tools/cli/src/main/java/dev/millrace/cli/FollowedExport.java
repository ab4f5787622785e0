package dev.millrace.cli;

import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.RuntimeExport;
import dev.millrace.cli.run.JobWatch;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.ModelExporter.Version;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Adds each model that a job publishes to a model repository, so that a server which follows the
 * repository follows the job. A model that can't be written is told of, and passed over.
 */
final class FollowedExport {

  private static final Duration POLL = Duration.ofSeconds(1);

  private final String from;
  private final Path repository;
  private final ModelExport.Members members;
  private final TrustedKeys keys;

  /** The version of the newest model that was looked at. */
  private String version = "";

  FollowedExport(String from, Path repository, ModelExport.Members members, TrustedKeys keys) {
    this.from = from;
    this.repository = repository;
    this.members = members;
    this.keys = keys;
  }

  /** Exports until a signal comes; between two models at once, else when the model is written. */
  void run(CompletableFuture<Integer> signal, Consumer<Version> added, Consumer<String> passed)
      throws InterruptedException {
    do {
      try {
        look(added);
      } catch (InvalidModelException | IOException e) {
        passed.accept(Reason.of(e));
      }
    } while (!JobWatch.isDoneWithin(POLL, signal));
  }

  private void look(Consumer<Version> added) throws IOException {
    Optional<Pointer> newest =
        new SnapshotCatalog(SnapshotPlace.of(from).open()).pointer(Pointer.LATEST);
    if (newest.isPresent() && !newest.get().version().equals(version)) {
      // What fails isn't tried again until another model is there.
      version = newest.get().version();
      added.accept(
          RuntimeExport.of(
                  from + "/" + newest.get().description(),
                  false,
                  members,
                  keys,
                  (blocks, ofBlocks, bytes) -> {})
              .toRepository(repository));
    }
  }
}
