package dev.millrace.job.follow;

import dev.millrace.job.models.SnapshotPlace;
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
public record ModelDirectory(SnapshotPlace place, String pointer) implements ModelPlace {

  /**
   * Models below a path or URI.
   *
   * @param committed follow the newest model that a checkpoint has committed, not the newest of all
   */
  public static ModelDirectory of(String location, boolean committed) {
    return new ModelDirectory(
        SnapshotPlace.of(location), committed ? Pointer.COMMITTED : Pointer.LATEST);
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
