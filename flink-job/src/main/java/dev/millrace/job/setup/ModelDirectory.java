package dev.millrace.job.setup;

import dev.millrace.job.options.ScoringOptions;
import dev.millrace.job.publish.SnapshotPlace;
import dev.millrace.job.scoring.MirroredFeed;
import dev.millrace.job.scoring.ModelPlace;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A directory that models are published in, on any of Flink's file systems, and the pointer to
 * follow there.
 *
 * @param pointer name of a file in it
 */
record ModelDirectory(SnapshotPlace place, String pointer) implements ModelPlace {

  static ModelDirectory of(String location, ScoringOptions.Serve serve) {
    return new ModelDirectory(
        SnapshotPlace.of(location),
        serve == ScoringOptions.Serve.COMMITTED ? Pointer.COMMITTED : Pointer.LATEST);
  }

  @Override
  public SnapshotFeed open() throws IOException {
    Optional<Path> local = place.local();
    return local.isPresent()
        ? SnapshotFeed.directory(local.get(), pointer)
        : new MirroredFeed(new RemoteModels(place.open(), pointer));
  }

  @Override
  public String toString() {
    return place.location();
  }
}
