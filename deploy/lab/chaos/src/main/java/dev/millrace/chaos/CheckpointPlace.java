package dev.millrace.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;

/**
 * The directory of checkpoints, which can be full, or away. Full it can be where this user may
 * mount a file system of limited size; it is unmounted when closed, and its files are gone then.
 */
final class CheckpointPlace implements Closeable {

  /** A job needs so much: it keeps some, and JobManagers that died have left some. */
  private static final int MEGABYTES = 192;

  private static final int CHUNK = 1 << 20;

  private final Path directory;
  private final boolean limited;

  private CheckpointPlace(Path directory, boolean limited) {
    this.directory = directory;
    this.limited = limited;
  }

  /**
   * Makes it, in a place that is there already.
   *
   * @param jobs whose checkpoints there is room for
   */
  static CheckpointPlace make(Path above, int jobs) throws IOException {
    Path limitedDirectory = Files.createDirectories(above.resolve("limited"));
    String size = "size=%sm".formatted(jobs * MEGABYTES);
    boolean limited = run("mount", "-t", "tmpfs", "-o", size, "tmpfs", "" + limitedDirectory);
    return new CheckpointPlace(
        Files.createDirectories(limitedDirectory.resolve("checkpoints")), limited);
  }

  Path directory() {
    return directory;
  }

  boolean canBeFull() {
    return limited;
  }

  /** Leaves no byte free. */
  void fill() throws IOException {
    byte[] chunk = new byte[CHUNK];
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      // That was the point.
    }
  }

  void empty() throws IOException {
    Files.deleteIfExists(filler());
  }

  /** Has a file be where the directory was, which stops root, too. */
  void takeAway() throws IOException {
    Files.move(directory, away());
    Files.writeString(directory, "away\n");
  }

  void bringBack() throws IOException {
    Files.delete(directory);
    Files.move(away(), directory);
  }

  private Path filler() {
    return directory.resolveSibling("filler");
  }

  private Path away() {
    return directory.resolveSibling("away");
  }

  private static boolean run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.onExit().join().exitValue() == 0 && output.isEmpty();
  }

  @Override
  public void close() throws IOException {
    if (limited) {
      run("umount", "-l", directory.getParent().toString());
    }
    FileUtils.deleteDirectory(directory.getParent().toFile());
  }
}
