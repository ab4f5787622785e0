package dev.millrace.cli.console;

import dev.millrace.local.cluster.OwnerOnly;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;

/**
 * Where a run keeps all its files: nothing is written elsewhere, but native code is unpacked where
 * the user says. Each command has a directory of its own in it, used by one process at a time.
 */
public final class WorkDirectory implements AutoCloseable {

  /** Where deploy/conf/log4j2.properties sends the log. */
  public static final String LOG_PROPERTY = "millrace.log";

  /** Where JavaCPP unpacks native code. */
  private static final String NATIVE_PROPERTY = "org.bytedeco.javacpp.cachedir";

  private static final String FILE = "file://";
  private static final String MODELS = "models";

  private final Path shared;

  /** A checkpoint's is checkpoints/JOB/chk-N/_metadata. */
  private static final int STATE_DEPTH = 3;

  private final Path root;
  private final FileChannel lock;

  private WorkDirectory(Path shared, Path root, FileChannel lock) {
    this.shared = shared;
    this.root = root;
    this.lock = lock;
  }

  /**
   * Makes the directory where it isn't there yet, and sends logs, native libraries and temporary
   * files to it. Empties the directory of temporary files, of which a killed run leaves some. Must
   * come before any class that logs is used.
   *
   * @throws RunFailedException if it can't be written, or another process uses it
   */
  public static WorkDirectory open(Path directory, String command) {
    Path shared = directory.toAbsolutePath().normalize();
    Path root = shared.resolve(command);
    try {
      Files.createDirectories(root);
      FileChannel channel =
          FileChannel.open(
              root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock taken = tryLock(channel);
      if (taken == null) {
        channel.close();
        throw new RunFailedException(
            "Another run uses %s; wait for it, or give --work-dir another directory"
                .formatted(root));
      }
      WorkDirectory work = new WorkDirectory(shared, root, channel);
      work.redirect();
      return work;
    } catch (IOException e) {
      throw new RunFailedException(
          "The work directory %s can't be written: %s".formatted(root, Reason.of(e)), e);
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private void redirect() throws IOException {
    System.setProperty(LOG_PROPERTY, log().toString());
    // A run that was killed has left its own: Flink alone 24 MB each time.
    FileUtils.deleteFileOrDirectory(temporary().toFile());
    // Flink keeps parts of the job there, with its options.
    System.setProperty("java.io.tmpdir", OwnerOnly.directory(temporary()).toString());
    if (System.getProperty(NATIVE_PROPERTY) == null) {
      // Shared by all commands: unpacked native code is large and always the same.
      System.setProperty(
          NATIVE_PROPERTY, Files.createDirectories(shared.resolve("native")).toString());
    }
  }

  /** Deletes what an earlier run of the same command left, its log excepted. */
  public void clear() {
    try {
      for (Path old :
          new Path[] {
            broker(), checkpointDirectory(), savepointDirectory(), models(), metrics(), page()
          }) {
        FileUtils.deleteFileOrDirectory(old.toFile());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path root() {
    return root;
  }

  public Path log() {
    return root.resolve("millrace.log");
  }

  public Path temporary() {
    return root.resolve("tmp");
  }

  public Path broker() {
    return root.resolve("broker");
  }

  /** Returns where checkpoints are, as Flink takes it: a URI whose path is not encoded. */
  public String checkpoints() {
    return FILE + checkpointDirectory();
  }

  /** A URI as Flink takes it, whose path is not encoded. */
  public String savepoints() {
    return FILE + savepointDirectory();
  }

  private Path checkpointDirectory() {
    return root.resolve("checkpoints");
  }

  private Path savepointDirectory() {
    return root.resolve("savepoints");
  }

  /** The newest whole checkpoint or savepoint that runs have left here since then. */
  public Optional<Path> newestState(Instant since) {
    List<Path> found = new ArrayList<>();
    for (Path states : List.of(checkpointDirectory(), savepointDirectory())) {
      if (Files.isDirectory(states)) {
        try (Stream<Path> files = Files.walk(states, STATE_DEPTH)) {
          // Flink writes it last.
          files.filter(file -> file.endsWith("_metadata")).forEach(found::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return found.stream()
        .filter(file -> file.toFile().lastModified() >= since.toEpochMilli())
        .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
        .map(Path::getParent);
  }

  public Path models() {
    return root.resolve(MODELS);
  }

  /** Returns where another command leaves its models. */
  public Path modelsOf(String command) {
    return shared.resolve(command).resolve(MODELS);
  }

  /** Returns where a copy of published rows is kept. */
  public Path rows() {
    return root.resolve("rows");
  }

  public Path metrics() {
    return root.resolve("metrics.jsonl");
  }

  /** Returns what stays of the live page. */
  public Path page() {
    return root.resolve("learning.html");
  }

  /** Measures of a model. */
  public Path evaluation() {
    return root.resolve("evaluation.json");
  }

  /** The page of {@link #evaluation}. */
  public Path evaluationPage() {
    return root.resolve("evaluation.html");
  }

  /** Deletes temporary files and lets other processes use the directory. */
  @Override
  public void close() {
    try {
      FileUtils.deleteDirectory(temporary().toFile());
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
