package dev.millrace.job.models;

import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.FileName;
import dev.millrace.snapshot.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.flink.core.fs.Path;

/**
 * A directory on one of Flink's file systems. What is put there is written to a local file first
 * and copied from there, {@linkplain WholeFiles whole or not at all}.
 */
final class FileSystemStore implements SnapshotStore {

  private final Path directory;
  private final WholeFiles files;

  /**
   * @throws IOException if no file system of that scheme is known
   */
  FileSystemStore(Path directory) throws IOException {
    this.directory = directory;
    this.files = WholeFiles.in(directory);
  }

  @Override
  public void put(String name, Content content) throws IOException {
    requirePlain(name);
    java.nio.file.Path local = TemporaryFiles.file("millrace-", "-" + name);
    try {
      content.writeTo(local);
      files.replace(name, out -> Files.copy(local, out));
    } catch (IOException | RuntimeException e) {
      throw failed("The snapshot file %s can't be written".formatted(locate(name)), e);
    } finally {
      Files.deleteIfExists(local);
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    requirePlain(name);
    try {
      return files.read(name);
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw failed("The snapshot file %s can't be read".formatted(locate(name)), e);
    }
  }

  @Override
  public List<String> names() throws IOException {
    try {
      return List.copyOf(files.names());
    } catch (IOException | RuntimeException e) {
      throw failed("The snapshots in %s can't be listed".formatted(directory), e);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    requirePlain(name);
    try {
      files.delete(name);
    } catch (IOException | RuntimeException e) {
      throw failed("The snapshot file %s can't be deleted".formatted(locate(name)), e);
    }
  }

  @Override
  public String locate(String name) {
    return name.isEmpty() ? directory.toString() : new Path(directory, name).toString();
  }

  @Override
  public void clean() throws IOException {
    try {
      files.clean();
    } catch (IOException | RuntimeException e) {
      throw failed("The directory of snapshots %s can't be made ready".formatted(directory), e);
    }
  }

  /** Clients of object stores throw exceptions of their own, too, that are unchecked. */
  private static IOException failed(String what, Exception e) {
    return new IOException("%s: %s; %s".formatted(what, Reason.of(e), StorageAdvice.on(e)), e);
  }

  private void requirePlain(String name) throws IOException {
    FileName.requirePlain(name, directory);
  }
}
