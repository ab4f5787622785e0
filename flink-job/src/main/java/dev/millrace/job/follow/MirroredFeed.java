package dev.millrace.job.follow;

import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.util.FileUtils;

/**
 * Follows snapshots that aren't on this machine: each new one is copied to a temporary directory,
 * and found there as {@link SnapshotFeed#directory} finds it, whole or not at all.
 */
public final class MirroredFeed implements SnapshotFeed {

  /** Where the snapshots are. */
  public interface Original extends AutoCloseable {

    /**
     * Copies the newest snapshot, if it isn't the one copied last: archive and description first,
     * then {@link Pointer#LATEST}.
     *
     * @return whether there was one to copy
     * @throws IOException if what is there can't be read
     */
    boolean copyTo(SnapshotStore mirror) throws IOException;

    @Override
    void close();
  }

  private final Original original;
  private final Path directory;
  private final SnapshotStore mirror;
  private final SnapshotFeed local;

  /**
   * @throws IOException if there is no temporary directory
   */
  public MirroredFeed(Original original) throws IOException {
    this.original = original;
    this.directory = TemporaryFiles.directory("millrace-models-");
    this.mirror = SnapshotStore.directory(directory);
    this.local = SnapshotFeed.directory(directory, Pointer.LATEST);
  }

  @Override
  public Optional<PublishedSnapshot> poll() throws IOException {
    if (original.copyTo(mirror)) {
      deleteAllButNewest();
    }
    return local.poll();
  }

  private void deleteAllButNewest() throws IOException {
    Optional<Pointer> newest = new SnapshotCatalog(mirror).pointer(Pointer.LATEST);
    Set<String> stays = new HashSet<>();
    stays.add(Pointer.LATEST);
    newest.ifPresent(pointer -> stays.addAll(List.of(pointer.archive(), pointer.description())));
    for (String file : mirror.names()) {
      if (!stays.contains(file)) {
        mirror.delete(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    local.close();
    original.close();
    FileUtils.deleteDirectoryQuietly(directory.toFile());
  }
}
