package dev.millrace.job.publish;

import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Where an archive is: a file, or a directory of published models, whose latest is meant; on this
 * machine or on any of Flink's file systems.
 *
 * @param location a path or a URI
 */
public record ArchiveLocation(String location) {

  /**
   * The archive as a file on this machine, copied here if it is elsewhere; a copy goes with the
   * process.
   *
   * @throws IOException if there is none, naming the location and the cause
   */
  public java.nio.file.Path fetch() throws IOException {
    try {
      Path path = new Path(location);
      FileSystem files = path.getFileSystem();
      if (!files.getFileStatus(path).isDir()) {
        return isLocal(path) ? local(path) : copy(files.open(path), path.getName());
      }
      SnapshotStore store = SnapshotPlace.of(location).open();
      String archive =
          new SnapshotCatalog(store)
              .pointer(Pointer.LATEST)
              .map(Pointer::archive)
              .orElseThrow(
                  () ->
                      new NoSuchFileException(
                          "it is a directory without %s; name an archive in it"
                              .formatted(Pointer.LATEST)));
      return isLocal(path) ? local(path).resolve(archive) : copy(store.read(archive), archive);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("The model %s can't be read: %s".formatted(location, reason(e)), e);
    }
  }

  private static boolean isLocal(Path path) {
    URI uri = path.toUri();
    return uri.getScheme() == null || uri.getScheme().equals("file");
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.getPath());
  }

  private static java.nio.file.Path copy(InputStream from, String name) throws IOException {
    java.nio.file.Path copy = Files.createTempFile("millrace-", "-" + name);
    copy.toFile().deleteOnExit();
    try (from) {
      Files.copy(from, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return copy;
  }

  private static String reason(Exception e) {
    return e instanceof java.io.FileNotFoundException ? "there is no such file" : e.getMessage();
  }
}
