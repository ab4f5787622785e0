package dev.millrace.snapshot;

import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Files are written beside their place under a hidden name, forced to disk, and moved there. */
final class DirectoryStore implements SnapshotStore {

  private static final String UNFINISHED_PREFIX = ".unfinished-";

  /** A file that hasn't changed for so long is of a writer that died. */
  private static final Duration LEFT_AFTER = Duration.ofHours(1);

  private final Path directory;

  DirectoryStore(Path directory) {
    this.directory = directory;
  }

  @Override
  public void clean() throws IOException {
    try {
      Files.createDirectories(directory);
      try (DirectoryStream<Path> unfinished =
          Files.newDirectoryStream(directory, UNFINISHED_PREFIX + "*")) {
        for (Path file : unfinished) {
          if (isLeft(file)) {
            Files.deleteIfExists(file);
          }
        }
      }
    } catch (IOException e) {
      throw failure("The snapshot directory", directory, "can't be used", e);
    }
  }

  /**
   * Says whether a file is left over, and not what another writer is at, such as a job that ends
   * while the next one starts.
   */
  private static boolean isLeft(Path file) throws IOException {
    try {
      Instant changed = Files.getLastModifiedTime(file).toInstant();
      return changed.isBefore(Instant.now().minus(LEFT_AFTER));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void put(String name, Content content) throws IOException {
    // A name of its own: a rollback may write the same pointer at the same time as the job.
    Path unfinished = directory.resolve(UNFINISHED_PREFIX + UUID.randomUUID() + "-" + name);
    Path file = place(name);
    try {
      content.writeTo(unfinished);
      force(unfinished, StandardOpenOption.WRITE);
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      deleteQuietly(unfinished, e);
      throw failure("The snapshot file", file, "can't be written", e);
    } catch (RuntimeException e) {
      deleteQuietly(unfinished, e);
      throw e;
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    try {
      return Files.newInputStream(place(name));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw failure("The snapshot file", directory.resolve(name), "can't be read", e);
    }
  }

  @Override
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw failure("The snapshot directory", directory, "can't be listed", e);
    } catch (UncheckedIOException e) {
      throw failure("The snapshot directory", directory, "can't be listed", e.getCause());
    }
  }

  @Override
  public void delete(String name) throws IOException {
    try {
      Files.deleteIfExists(place(name));
    } catch (IOException e) {
      throw failure("The snapshot file", directory.resolve(name), "can't be deleted", e);
    }
  }

  @Override
  public String locate(String name) {
    return directory.resolve(name).toString();
  }

  private Path place(String name) throws IOException {
    FileName.requirePlain(name, directory);
    return directory.resolve(name);
  }

  private static void deleteQuietly(Path unfinished, Exception failure) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  private static void force(Path file, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(file, access)) {
      channel.force(true);
    }
  }

  private static IOException failure(String what, Path file, String happened, IOException cause) {
    return new IOException(
        "%s %s %s: %s; check its permissions and the space left, or name another directory"
            .formatted(what, file, happened, Reason.of(cause)),
        cause);
  }
}
