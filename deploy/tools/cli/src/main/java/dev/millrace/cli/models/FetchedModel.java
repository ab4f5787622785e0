package dev.millrace.cli.models;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.util.FileUtils;

/**
 * A copy of a snapshot that isn't on this machine, or that others may change: its archive, with its
 * description beside it where there is one. It is deleted with the process at the latest.
 */
final class FetchedModel implements AutoCloseable {

  private static final String ZIP = ".zip";
  private static final String JSON = ".json";

  private final Path directory;
  private final Path archive;
  private final Thread atEnd;

  private FetchedModel(String archive) throws IOException {
    Path made = TemporaryFiles.directory("millrace-model-");
    this.directory = made;
    this.archive = made.resolve(archive);
    this.atEnd = new Thread(() -> FileUtils.deleteDirectoryQuietly(made.toFile()));
    Runtime.getRuntime().addShutdownHook(atEnd);
  }

  /** Copies the latest snapshot of a directory; empty if the directory has no pointer. */
  static Optional<FetchedModel> latest(String directory) throws IOException {
    SnapshotStore store = SnapshotPlace.of(directory).open();
    Optional<Pointer> latest = new SnapshotCatalog(store).pointer(Pointer.LATEST);
    return latest.isEmpty()
        ? Optional.empty()
        : Optional.of(copy(store, latest.get().archive(), latest.get().description()));
  }

  /** Copies an archive that is named by itself or by its description. */
  static FetchedModel named(String file) throws IOException {
    org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(file);
    SnapshotStore store = SnapshotPlace.of(path.getParent().toString()).open();
    String name = path.getName();
    String stem = name.substring(0, name.lastIndexOf('.'));
    return copy(store, name.endsWith(JSON) ? stem + ZIP : name, stem + JSON);
  }

  private static FetchedModel copy(SnapshotStore store, String archive, String description)
      throws IOException {
    FetchedModel copy = new FetchedModel(archive);
    boolean whole = false;
    try {
      try (InputStream in = store.read(archive)) {
        Files.copy(in, copy.archive);
      } catch (FileNotFoundException | NoSuchFileException e) {
        throw new IOException("There is no file " + store.locate(archive), e);
      }
      try (InputStream in = store.read(description)) {
        Files.copy(in, copy.directory.resolve(description));
      } catch (FileNotFoundException | NoSuchFileException e) {
        // There is none.
      }
      whole = true;
      return copy;
    } finally {
      if (!whole) {
        copy.close();
      }
    }
  }

  /** Returns where the archive's copy is. */
  Path archive() {
    return archive;
  }

  @Override
  public void close() {
    FileUtils.deleteDirectoryQuietly(directory.toFile());
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // The process ends, and it runs.
    }
  }
}
