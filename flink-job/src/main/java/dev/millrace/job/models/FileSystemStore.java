package dev.millrace.job.models;

import dev.millrace.snapshot.FileName;
import dev.millrace.snapshot.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * A directory on one of Flink's file systems. What is put there is written to a local file first
 * and copied from there. On object stores, where an object is seen when its writer closes it, each
 * file is replaced at once; on others (HDFS) a reader may find a pointer half written, for a
 * moment.
 */
final class FileSystemStore implements SnapshotStore {

  private final Path directory;
  private final FileSystem files;

  /**
   * @throws IOException if no file system of that scheme is known
   */
  FileSystemStore(Path directory) throws IOException {
    this.directory = directory;
    this.files = directory.getFileSystem();
  }

  @Override
  public void put(String name, Content content) throws IOException {
    Path file = place(name);
    java.nio.file.Path local = Files.createTempFile("millrace-", "-" + name);
    try {
      content.writeTo(local);
      try (OutputStream out = files.create(file, WriteMode.OVERWRITE)) {
        Files.copy(local, out);
      }
    } catch (IOException e) {
      throw new IOException(
          "The snapshot file %s can't be written: %s; check its permissions, or name another directory"
              .formatted(locate(name), e.getMessage()),
          e);
    } finally {
      Files.deleteIfExists(local);
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    Path file = place(name);
    // Flink's plugin for S3 opens what isn't there, and fails at the first byte, like any failure.
    if (!files.exists(file)) {
      throw new FileNotFoundException(locate(name));
    }
    return files.open(file);
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    if (files.exists(directory)) {
      for (FileStatus file : files.listStatus(directory)) {
        if (!file.isDir()) {
          names.add(file.getPath().getName());
        }
      }
    }
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = place(name);
    if (files.exists(file)) {
      files.delete(file, false);
    }
  }

  @Override
  public String locate(String name) {
    return name.isEmpty() ? directory.toString() : new Path(directory, name).toString();
  }

  @Override
  public void clean() throws IOException {
    files.mkdirs(directory);
  }

  private Path place(String name) throws IOException {
    FileName.requirePlain(name, directory);
    return new Path(directory, name);
  }
}
