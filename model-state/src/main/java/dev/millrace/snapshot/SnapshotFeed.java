package dev.millrace.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Follows the snapshots of one place: always the one that its pointer names, whole or not at all.
 * What was published between two looks is passed over.
 *
 * <p>Not thread-safe.
 */
public interface SnapshotFeed extends AutoCloseable {

  /**
   * The snapshot that the pointer names, if it is another than the one that was given last.
   *
   * @throws UnusableSnapshotException if the pointer names one that is missing, damaged or of
   *     another version; the next call tries again
   * @throws IOException if the pointer can't be read, which says nothing of any snapshot
   */
  Optional<PublishedSnapshot> poll() throws IOException;

  /** Gives up what is kept of the snapshot that was given last. */
  @Override
  void close() throws IOException;

  /**
   * The snapshots of a directory of the local file system, which need not be there yet.
   *
   * @param pointer name of the file that names the snapshot to follow, such as {@link
   *     Pointer#LATEST}
   */
  static SnapshotFeed directory(Path directory, String pointer) {
    return new DirectoryFeed(directory, pointer);
  }
}
