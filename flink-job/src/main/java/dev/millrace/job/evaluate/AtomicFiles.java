package dev.millrace.job.evaluate;

import dev.millrace.job.models.StorageAdvice;
import dev.millrace.job.models.WholeFiles;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.fs.Path;

/** Writes a text file such that nobody finds half of it. */
public final class AtomicFiles {

  private AtomicFiles() {}

  /**
   * Creates or replaces a file, in UTF-8.
   *
   * @param place a URI on any file system that Flink knows
   * @throws IOException naming the file; what is in its place is untouched then
   */
  public static void write(String place, String content) throws IOException {
    Path file = new Path(place);
    try {
      WholeFiles.in(file.getParent())
          .replace(file.getName(), out -> out.write(content.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "The report can't be written to %s: %s; %s"
              .formatted(place, Reason.of(e), StorageAdvice.on(e)),
          e);
    }
  }
}
