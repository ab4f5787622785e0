package dev.millrace.snapshot;

import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A local file that comes into being whole or not at all: it is written beside its place under a
 * hidden name, forced to disk, and moved there. Closing it deletes what wasn't {@linkplain #commit
 * committed}.
 */
public final class AtomicFile implements AutoCloseable {

  private final Path target;
  private final Path unfinished;
  private final boolean replace;

  private AtomicFile(Path target, Path unfinished, boolean replace) {
    this.target = target;
    this.unfinished = unfinished;
    this.replace = replace;
  }

  /**
   * Makes sure that the file can be written, before there is anything to write.
   *
   * @param replace whether a file that is there already may be replaced
   * @throws IOException naming the file and the cause
   */
  public static AtomicFile create(Path file, boolean replace) throws IOException {
    Path target = file.toAbsolutePath().normalize();
    requireFree(target, replace);
    Path directory = target.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException(
          "%s can't be written: there is no directory %s".formatted(file, directory));
    }
    try {
      // Not as a temporary file, which nobody else may read.
      String hidden = ".%s-%s.unfinished".formatted(target.getFileName(), UUID.randomUUID());
      Path unfinished = Files.createFile(directory.resolve(hidden));
      // Where the process is ended while it writes.
      unfinished.toFile().deleteOnExit();
      return new AtomicFile(target, unfinished, replace);
    } catch (IOException e) {
      throw failure(target, e);
    }
  }

  /** The hidden file to write to, which is in the same directory. */
  public Path unfinished() {
    return unfinished;
  }

  /**
   * Puts what was written into its place.
   *
   * @throws IOException naming the file and the cause; what was in its place is untouched then
   */
  public void commit() throws IOException {
    requireFree(target, replace);
    try {
      force(unfinished, StandardOpenOption.WRITE);
      Files.move(
          unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(target.getParent(), StandardOpenOption.READ);
    } catch (IOException e) {
      throw failure(target, e);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(unfinished);
  }

  private static void requireFree(Path target, boolean replace) throws IOException {
    if (Files.isDirectory(target)) {
      throw new IOException("%s can't be written: it is a directory".formatted(target));
    }
    if (!replace && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          "%s is there already, and stays as it is; name another file".formatted(target));
    }
  }

  private static void force(Path file, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(file, access)) {
      channel.force(true);
    }
  }

  private static IOException failure(Path target, IOException cause) {
    String why =
        cause instanceof AccessDeniedException
            ? "its directory may not be written to"
            : cause instanceof NoSuchFileException
                ? "its directory takes no files"
                : Reason.of(cause);
    IOException failure = new IOException("%s can't be written: %s".formatted(target, why));
    failure.addSuppressed(cause);
    return failure;
  }
}
