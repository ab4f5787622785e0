package dev.millrace.job.evaluate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/** Writes a text file such that nobody finds half of it. */
public final class AtomicFiles {

  private static final String UNFINISHED_PREFIX = ".unfinished-";

  private AtomicFiles() {}

  /**
   * Creates or replaces a file: written under another name first, in UTF-8.
   *
   * @param place a URI on any file system that Flink knows
   * @throws IOException naming the file; what is in its place is untouched then
   */
  public static void write(String place, String content) throws IOException {
    Path file = new Path(place);
    Path unfinished = new Path(file.getParent(), UNFINISHED_PREFIX + file.getName());
    try {
      try (OutputStream out = file.getFileSystem().create(unfinished, WriteMode.OVERWRITE)) {
        out.write(content.getBytes(StandardCharsets.UTF_8));
      }
      move(unfinished, file);
    } catch (IOException e) {
      delete(unfinished, e);
      throw new IOException("The report can't be written to %s: %s".formatted(place, e), e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    FileSystem files = to.getFileSystem();
    if (files.rename(from, to)) {
      return;
    }
    // Some file systems don't replace.
    files.delete(to, false);
    if (!files.rename(from, to)) {
      throw new IOException("the file system %s refuses it".formatted(files.getUri()));
    }
  }

  private static void delete(Path unfinished, IOException failure) {
    try {
      unfinished.getFileSystem().delete(unfinished, false);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
