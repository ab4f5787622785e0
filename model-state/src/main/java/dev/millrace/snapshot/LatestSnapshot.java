package dev.millrace.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The snapshot that a directory's {@code latest.json} names.
 *
 * @param archive the engine's archive
 * @param description what the archive doesn't say itself
 */
public record LatestSnapshot(Path archive, SnapshotDescription description) {

  /**
   * Reads it, if there is one.
   *
   * @throws IOException if the pointer or the description can't be read
   */
  public static Optional<LatestSnapshot> find(Path directory) throws IOException {
    Path file = directory.resolve(SnapshotWriter.LATEST);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    SnapshotWriter.Pointer pointer =
        SnapshotDescription.MAPPER.readValue(file.toFile(), SnapshotWriter.Pointer.class);
    String description = Files.readString(directory.resolve(pointer.description()));
    return Optional.of(
        new LatestSnapshot(
            directory.resolve(pointer.archive()), SnapshotDescription.fromJson(description)));
  }
}
