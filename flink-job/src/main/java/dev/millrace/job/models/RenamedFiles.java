package dev.millrace.job.models;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * Files of a file system on which a file is seen while it is written, as on HDFS, and a new name is
 * given at once, but not one that is taken. So a file is written under a name of its own that
 * begins with {@code .unfinished-}, and where there is one of its name already, it is called {@code
 * .whole-NAME} while that is deleted. Readers take that, where the file itself is missing.
 */
final class RenamedFiles implements WholeFiles {

  private static final String UNFINISHED = ".unfinished-";
  private static final String WHOLE = ".whole-";

  /** Pointers and descriptions, which are small; archives never change. */
  private static final String REPLACED = ".json";

  private static final int MOST_ATTEMPTS = 3;

  /** A file that hasn't changed for so long is of a writer that died. */
  private static final Duration LEFT_AFTER = Duration.ofHours(1);

  private final Path directory;
  private final FileSystem files;

  RenamedFiles(Path directory, FileSystem files) {
    this.directory = directory;
    this.files = files;
  }

  /** A person may put a model back, and so write the very pointer that a job writes. */
  @Override
  public void replace(String name, Content content) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        replaceOnce(name, content);
        return;
      } catch (IOException e) {
        if (attempt == MOST_ATTEMPTS || !name.endsWith(REPLACED)) {
          throw e;
        }
      }
    }
  }

  private void replaceOnce(String name, Content content) throws IOException {
    Path unfinished = place(UNFINISHED + UUID.randomUUID() + "-" + name);
    Path file = place(name);
    try {
      try (OutputStream out = files.create(unfinished, WriteMode.OVERWRITE)) {
        content.writeTo(out);
      }
      finish(name);
      if (files.exists(file)) {
        requireFile(file);
        Path whole = place(WHOLE + name);
        rename(unfinished, whole);
        files.delete(file, false);
        rename(whole, file);
      } else {
        rename(unfinished, file);
      }
    } catch (IOException e) {
      deleteAfter(unfinished, e);
      throw e;
    }
  }

  /** Ends what a writer that died had begun: the old file is as good, where it is still there. */
  private void finish(String name) throws IOException {
    Path whole = place(WHOLE + name);
    if (!files.exists(whole)) {
      return;
    }
    if (files.exists(place(name))) {
      files.delete(whole, false);
    } else {
      rename(whole, place(name));
    }
  }

  private void rename(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException(
          "the file system %s refuses to rename %s to %s"
              .formatted(files.getUri(), from.getName(), to.getName()));
    }
  }

  private void requireFile(Path file) throws IOException {
    if (files.getFileStatus(file).isDir()) {
      throw new IOException("%s is a directory".formatted(file));
    }
  }

  private void deleteAfter(Path unfinished, IOException failure) {
    try {
      deleteIfThere(unfinished);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    return name.endsWith(REPLACED) ? whole(name) : open(name);
  }

  /** A file that may be replaced while it is read: then the rest of it is gone. */
  private InputStream whole(String name) throws IOException {
    for (int attempt = 1; ; attempt++) {
      InputStream opened = open(name);
      try (opened) {
        return new ByteArrayInputStream(opened.readAllBytes());
      } catch (IOException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private InputStream open(String name) throws IOException {
    try {
      return files.open(place(name));
    } catch (FileNotFoundException e) {
      try {
        return files.open(place(WHOLE + name));
      } catch (FileNotFoundException again) {
        // It has got its name meanwhile, or there is none.
        return files.open(place(name));
      }
    }
  }

  @Override
  public Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    if (files.exists(directory)) {
      for (FileStatus file : files.listStatus(directory)) {
        String name = file.getPath().getName();
        if (!file.isDir() && !name.startsWith(UNFINISHED)) {
          names.add(name.startsWith(WHOLE) ? name.substring(WHOLE.length()) : name);
        }
      }
    }
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    deleteIfThere(place(WHOLE + name));
    deleteIfThere(place(name));
  }

  private void deleteIfThere(Path file) throws IOException {
    if (files.exists(file)) {
      files.delete(file, false);
    }
  }

  @Override
  public void clean() throws IOException {
    files.mkdirs(directory);
    for (FileStatus file : files.listStatus(directory)) {
      String name = file.getPath().getName();
      if (name.startsWith(UNFINISHED)) {
        if (isLeft(file)) {
          deleteIfThere(file.getPath());
        }
      } else if (name.startsWith(WHOLE)) {
        finish(name.substring(WHOLE.length()));
      }
    }
  }

  /**
   * Says whether a file is left over, and not what another writer is at, such as a job that ends
   * while the next one starts.
   */
  private static boolean isLeft(FileStatus file) {
    return file.getModificationTime() < System.currentTimeMillis() - LEFT_AFTER.toMillis();
  }

  private Path place(String name) {
    return new Path(directory, name);
  }
}
