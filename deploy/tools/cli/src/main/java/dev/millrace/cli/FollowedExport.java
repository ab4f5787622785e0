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
 * repository follows the job. A model that is no good is told of, and passed over; one that can't
 * be read or written just now is tried again.
 */
final class FollowedExport {

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration MOST_BETWEEN_TRIES = Duration.ofMinutes(1);

  private final String from;
  private final Path repository;
  private final ModelExport.Members members;
  private final TrustedKeys keys;

  /** The version of the newest model that was written, or is no good. */
  private String version = "";

  FollowedExport(String from, Path repository, ModelExport.Members members, TrustedKeys keys) {
    this.from = from;
    this.repository = repository;
    this.members = members;
    this.keys = keys;
  }

  /** Exports until a signal comes; between two models at once, else when the model is written. */
  void run(CompletableFuture<Integer> signal, Consumer<Version> added, Consumer<String> told)
      throws InterruptedException {
    Duration pause = POLL;
    do {
      try {
        look(added, told);
        pause = POLL;
      } catch (IOException e) {
        told.accept("A model can't be read or written now; it is tried again: " + Reason.of(e));
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(MOST_BETWEEN_TRIES) < 0 ? twice : MOST_BETWEEN_TRIES;
      }
    } while (!JobWatch.isDoneWithin(pause, signal));
  }

  private void look(Consumer<Version> added, Consumer<String> told) throws IOException {
    Optional<Pointer> newest =
        new SnapshotCatalog(SnapshotPlace.of(from).open()).pointer(Pointer.LATEST);
    if (newest.isPresent() && !newest.get().version().equals(version)) {
      try {
        added.accept(written(newest.get()));
      } catch (InvalidModelException e) {
        told.accept("A model is passed over: " + Reason.of(e));
      }
      version = newest.get().version();
    }
  }

  private Version written(Pointer model) throws IOException {
    return RuntimeExport.of(
            from + "/" + model.description(), false, members, keys, (blocks, ofBlocks, bytes) -> {})
        .toRepository(repository);
  }
}
