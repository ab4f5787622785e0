package dev.millrace.job.rows.files;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * A directory of rows, on any of Flink's file systems. The manifest is replaced whole or not at
 * all. Files of rows are written under names that no manifest has yet, so nobody reads half of one.
 * Thread-safe.
 */
final class RowDirectory {

  /** The end of each name of a file of rows. */
  static final String SUFFIX = ".safetensors";

  /** The most bytes of a manifest: about 100,000 files. */
  private static final int MOST_BYTES = 32 << 20;

  private final String location;
  private final Path path;
  private final boolean isLocal;
  private final FileSystem files;
  private final SnapshotStore store;

  /** A file that is being written. */
  interface NewFile extends AutoCloseable {

    FSDataOutputStream out();

    /** Has all that was written be there, whatever becomes of this process. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
  }

  private RowDirectory(String location, Path path, boolean isLocal, SnapshotStore store)
      throws IOException {
    this.location = location;
    this.path = path;
    this.isLocal = isLocal;
    this.files = path.getFileSystem();
    this.store = store;
  }

  /**
   * Opens a directory, which need not be there.
   *
   * @param location a path or a URI
   * @throws IOException if no file system of its scheme is known
   */
  static RowDirectory open(String location) throws IOException {
    SnapshotPlace place = SnapshotPlace.of(location);
    Optional<java.nio.file.Path> local = place.local();
    return new RowDirectory(
        place.location(),
        local.map(path -> Path.fromLocalFile(path.toFile())).orElse(new Path(place.location())),
        local.isPresent(),
        place.open());
  }

  /** Makes the directory where need be, for its one writer. */
  void make() throws IOException {
    store.clean();
  }

  /** Returns the manifest, if there is one. */
  Optional<RowManifest> manifest() throws IOException {
    try (InputStream in = store.read(RowManifest.NAME)) {
      byte[] json = in.readNBytes(MOST_BYTES + 1);
      if (json.length > MOST_BYTES) {
        throw new IOException(
            "%s in %s has more than %s bytes".formatted(RowManifest.NAME, this, MOST_BYTES));
      }
      return Optional.of(RowManifest.read(json, this));
    } catch (FileNotFoundException | NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Replaces the manifest. */
  void publish(RowManifest manifest) throws IOException {
    store.put(RowManifest.NAME, file -> Files.write(file, manifest.toJson()));
  }

  /** Returns the names of files of rows that are there. */
  List<String> names() throws IOException {
    return store.names().stream().filter(name -> name.endsWith(SUFFIX)).toList();
  }

  void delete(String name) throws IOException {
    store.delete(name);
  }

  NewFile create(String name) throws IOException {
    FSDataOutputStream out = files.create(new Path(path, name), WriteMode.OVERWRITE);
    return new NewFile() {

      @Override
      public FSDataOutputStream out() {
        return out;
      }

      @Override
      public void finish() throws IOException {
        // Elsewhere closing it is enough, and not every file system can do this.
        if (isLocal) {
          out.sync();
        }
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  FSDataInputStream read(String name) throws IOException {
    return files.open(new Path(path, name));
  }

  @Override
  public String toString() {
    return location;
  }
}
