package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * A directory of a training log, on any of Flink's file systems. Each file has entries, a line
 * each, and is there as a whole or not at all. An entry that is there twice counts once, since it
 * has a version of its own; of two jobs' that have the same version the later one counts.
 */
public final class LogDirectory {

  private static final String SUFFIX = ".jsonl";

  private final SnapshotStore store;

  private LogDirectory(SnapshotStore store) {
    this.store = store;
  }

  /**
   * Opens one, which need not be there.
   *
   * @param location a path or a URI
   * @throws IOException if no file system of its scheme is known
   */
  public static LogDirectory open(String location) throws IOException {
    return new LogDirectory(SnapshotPlace.of(location).open());
  }

  /** Makes it where need be, for its one writer. */
  void make() throws IOException {
    store.clean();
  }

  /** Whether it has any entry. */
  boolean isUsed() throws IOException {
    return store.names().stream().anyMatch(name -> name.endsWith(SUFFIX));
  }

  /**
   * Writes entries, durably, in a file of their own.
   *
   * @param lines see {@link LogLine#write}, at least one
   * @param version of the first
   */
  public void write(List<byte[]> lines, String version) throws IOException {
    // In the order of time, which no name has twice: of a version there is one entry.
    String name =
        String.format(Locale.ROOT, "%016d-%s%s", System.currentTimeMillis(), version, SUFFIX);
    store.put(
        name,
        file -> {
          try (OutputStream out = Files.newOutputStream(file)) {
            for (byte[] line : lines) {
              out.write(line);
              out.write('\n');
            }
          }
        });
  }

  /**
   * Reads all entries, older ones first.
   *
   * @throws dev.millrace.exchange.log.UnusableLogException if a line is no entry
   */
  public void read(Consumer<LogEntry> reader) throws IOException {
    for (String name :
        store.names().stream().filter(one -> one.endsWith(SUFFIX)).sorted().toList()) {
      try (InputStream in = store.read(name)) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        text.lines()
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .map(LogLine::read)
            .forEach(reader);
      }
    }
  }
}
