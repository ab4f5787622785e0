package dev.millrace.history;

import dev.millrace.model.io.TemporaryFiles;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A file on this machine: itself, or a copy of one that is elsewhere, deleted when it is closed. It
 * is copied because learning from it may take hours, in which an object store would close a
 * connection that is hardly read from.
 */
public final class HistoryFile implements Closeable {

  private final java.nio.file.Path local;
  private final boolean copied;

  private HistoryFile(java.nio.file.Path local, boolean copied) {
    this.local = local;
    this.copied = copied;
  }

  /**
   * Fetches a file.
   *
   * @throws IOException if it isn't there, or can't be read
   */
  public static HistoryFile fetch(Path file) throws IOException {
    FileSystem system = file.getFileSystem();
    if (!system.exists(file)) {
      throw new FileNotFoundException("%s isn't there any more".formatted(file));
    }
    if (FileSystem.getLocalFileSystem().getUri().equals(system.getUri())) {
      return new HistoryFile(java.nio.file.Path.of(file.getPath()), false);
    }
    java.nio.file.Path copy = TemporaryFiles.file("millrace-history-", null);
    try (InputStream in = system.open(file)) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      return new HistoryFile(copy, true);
    } catch (IOException e) {
      Files.delete(copy);
      throw new IOException("Can't copy %s to this machine".formatted(file), e);
    }
  }

  /** Returns where it is on this machine. */
  public java.nio.file.Path local() {
    return local;
  }

  @Override
  public void close() throws IOException {
    if (copied) {
      Files.deleteIfExists(local);
    }
  }
}
