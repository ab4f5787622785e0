package dev.millrace.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Files are written beside their place under a hidden name, forced to disk, and moved there. */
final class DirectoryStore implements SnapshotStore {

  private static final String UNFINISHED_PREFIX = ".unfinished-";

  private final Path directory;

  private DirectoryStore(Path directory) {
    this.directory = directory;
  }

  static DirectoryStore open(Path directory) throws IOException {
    try {
      Files.createDirectories(directory);
      try (DirectoryStream<Path> unfinished =
          Files.newDirectoryStream(directory, UNFINISHED_PREFIX + "*")) {
        for (Path file : unfinished) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw failure("The snapshot directory", directory, "can't be used", e);
    }
    return new DirectoryStore(directory);
  }

  @Override
  public void put(String name, Content content) throws IOException {
    Path unfinished = directory.resolve(UNFINISHED_PREFIX + name);
    Path file = locate(name);
    try {
      content.writeTo(unfinished);
      force(unfinished, StandardOpenOption.WRITE);
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      try {
        Files.deleteIfExists(unfinished);
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw failure("The snapshot file", file, "can't be written", e);
    }
  }

  @Override
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .sorted(Comparator.comparing(DirectoryStore::modified))
          .map(file -> file.getFileName().toString())
          .toList();
    } catch (IOException e) {
      throw failure("The snapshot directory", directory, "can't be listed", e);
    } catch (UncheckedIOException e) {
      throw failure("The snapshot directory", directory, "can't be listed", e.getCause());
    }
  }

  @Override
  public void delete(String name) throws IOException {
    try {
      Files.deleteIfExists(locate(name));
    } catch (IOException e) {
      throw failure("The snapshot file", locate(name), "can't be deleted", e);
    }
  }

  @Override
  public Path locate(String name) {
    return directory.resolve(name);
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void force(Path file, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(file, access)) {
      channel.force(true);
    }
  }

  private static IOException failure(String what, Path file, String happened, IOException cause) {
    return new IOException(
        "%s %s %s: %s; see to its permissions and the space left, or name another directory"
            .formatted(what, file, happened, reason(cause)),
        cause);
  }

  /** The exceptions of files often have nothing but a path as their message. */
  private static String reason(IOException cause) {
    return cause.getClass().getSimpleName() + " " + cause.getMessage();
  }
}
