package dev.millrace.job.models;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.util.IOUtils;

/**
 * Files of an object store: an object is seen when its writer closes it, all of it, and takes the
 * place of one of that name. To rename one would be to copy it.
 */
final class ObjectFiles implements WholeFiles {

  /** Where an object is whole from the first time it is seen. */
  static final Set<String> SCHEMES = Set.of("s3", "s3a", "s3p", "s3n", "gs", "oss");

  /** Pointers and descriptions, which are small; archives never change. */
  private static final String REPLACED = ".json";

  private final Path directory;
  private final FileSystem files;

  ObjectFiles(Path directory, FileSystem files) {
    this.directory = directory;
    this.files = files;
  }

  @Override
  public void replace(String name, Content content) throws IOException {
    OutputStream out = files.create(place(name), WriteMode.OVERWRITE);
    try {
      content.writeTo(out);
    } catch (IOException | RuntimeException e) {
      undo(name, out, e);
      throw e;
    }
    out.close();
  }

  /**
   * Leaves no object that has the beginning of a content only: the clients have no way to give one
   * up, and closing makes an object of what was written before the failure.
   */
  private void undo(String name, OutputStream begun, Exception failure) {
    try {
      // Where this fails the stream isn't closed, and the old object stays.
      Optional<byte[]> old = name.endsWith(REPLACED) ? whole(name) : Optional.empty();
      IOUtils.closeQuietly(begun);
      if (old.isPresent()) {
        try (OutputStream out = files.create(place(name), WriteMode.OVERWRITE)) {
          out.write(old.get());
        }
      } else {
        delete(name);
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private Optional<byte[]> whole(String name) throws IOException {
    try (InputStream in = read(name)) {
      return Optional.of(in.readAllBytes());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    Path file = place(name);
    // Asked for first, because a file system may open what isn't there, and fail with an exception
    // of its own when it is read: that of Presto does.
    files.getFileStatus(file);
    return files.open(file);
  }

  @Override
  public Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
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
  public void clean() throws IOException {
    files.mkdirs(directory);
  }

  private Path place(String name) {
    return new Path(directory, name);
  }
}
