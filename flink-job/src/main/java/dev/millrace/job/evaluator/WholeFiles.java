package dev.millrace.job.evaluator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/** Writes text files such that nobody finds half of one. */
final class WholeFiles {

  private static final String UNFINISHED_PREFIX = ".unfinished-";

  private WholeFiles() {}

  /**
   * Creates or replaces files, each at once, and none before all are written under another name.
   *
   * @param contents by place
   * @throws IOException naming the file; what can be taken back is
   */
  static void write(Map<String, String> contents) throws IOException {
    Map<Path, Path> written = new LinkedHashMap<>();
    String current = "";
    try {
      for (Map.Entry<String, String> entry : contents.entrySet()) {
        current = entry.getKey();
        Path place = new Path(current);
        Path unfinished = new Path(place.getParent(), UNFINISHED_PREFIX + place.getName());
        written.put(unfinished, place);
        try (FSDataOutputStream file =
                place.getFileSystem().create(unfinished, WriteMode.OVERWRITE);
            OutputStream out = file) {
          out.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        }
      }
      for (Map.Entry<Path, Path> entry : written.entrySet()) {
        current = entry.getValue().toString();
        move(entry.getKey(), entry.getValue());
      }
    } catch (IOException e) {
      for (Path unfinished : written.keySet()) {
        delete(unfinished, e);
      }
      throw new IOException("The report can't be written to %s: %s".formatted(current, e), e);
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
