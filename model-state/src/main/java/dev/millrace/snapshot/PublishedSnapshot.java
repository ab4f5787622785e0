package dev.millrace.snapshot;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A snapshot that was found whole.
 *
 * @param origin where its archive was published, for messages
 * @param archive a copy of the engine's archive on the local file system, which is there until its
 *     feed is polled again, or closed
 * @param held whether a person has put it back, so that nothing newer is served
 */
public record PublishedSnapshot(
    SnapshotDescription description, String origin, Path archive, boolean held) {

  /** One that nobody holds. */
  public PublishedSnapshot(SnapshotDescription description, String origin, Path archive) {
    this(description, origin, archive, false);
  }

  public PublishedSnapshot {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(archive, "archive");
  }
}
