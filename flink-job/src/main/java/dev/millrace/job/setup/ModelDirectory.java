package dev.millrace.job.setup;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ScoringOptions;
import dev.millrace.job.scoring.ModelPlace;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotWriter;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory that models are published in, and the pointer to follow there.
 *
 * @param directory a path, which is resolved where the scorer runs, as training resolves its own
 * @param pointer name of a file in it
 */
record ModelDirectory(String directory, String pointer) implements ModelPlace {

  private static final String COMMITTED = "committed.json";

  /**
   * @param place a path, or a URI
   * @throws InvalidOptionsException if it is a URI that can't be read
   */
  static ModelDirectory of(String place, ScoringOptions.Serve serve) {
    return new ModelDirectory(
        path(place).toString(),
        serve == ScoringOptions.Serve.COMMITTED ? COMMITTED : SnapshotWriter.LATEST);
  }

  private static Path path(String place) {
    if (!place.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
      return Path.of(place);
    }
    try {
      return Path.of(URI.create(place));
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw new InvalidOptionsException(
          List.of(
              "scoring.models is '%s'; it must be a path, or a URI such as file:///models (%s)"
                  .formatted(place, e.getMessage())));
    }
  }

  @Override
  public SnapshotFeed open() {
    return SnapshotFeed.directory(Path.of(directory), pointer);
  }

  @Override
  public String toString() {
    return directory;
  }
}
