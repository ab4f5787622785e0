package dev.millrace.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Makes what may hold a secret: only its owner may read it, where the file system knows owners. */
public final class OwnerOnly {

  private OwnerOnly() {}

  /** A directory, and those above it that aren't there yet; what is put into it is hidden, too. */
  public static Path directory(Path directory) throws IOException {
    Files.createDirectories(directory);
    restrict(directory, "rwx------");
    return directory;
  }

  /** A file with these lines, in the place of one that is there. */
  public static void write(Path file, List<String> lines) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file);
    // Before it has a content.
    restrict(file, "rw-------");
    Files.write(file, lines);
  }

  private static void restrict(Path path, String permissions) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString(permissions));
    }
  }
}
