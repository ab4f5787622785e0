package dev.millrace.snapshot;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A snapshot that was found whole.
 *
 * @param archive the engine's archive on the local file system; to be read before its feed is
 *     polled again, or closed
 */
public record PublishedSnapshot(SnapshotDescription description, Path archive) {

  public PublishedSnapshot {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(archive, "archive");
  }
}
