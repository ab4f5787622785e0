package dev.millrace.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The snapshot that a local directory's {@code latest.json} names.
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
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    Optional<Pointer> pointer = catalog.pointer(Pointer.LATEST);
    if (pointer.isEmpty()) {
      return Optional.empty();
    }
    // By the pointer that was read, and not by the one that has replaced it meanwhile.
    return catalog
        .described(pointer.get())
        .map(
            description ->
                new LatestSnapshot(directory.resolve(pointer.get().archive()), description));
  }
}
