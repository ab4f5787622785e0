package dev.millrace.job.train.part.rebuild;

import static java.util.Comparator.comparingLong;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A directory of a training log, on any of Flink's file systems. Each file has a number, and
 * entries, a line each. Of two entries of one version the one in the later file counts.
 */
public final class LogDirectory {

  static final String SUFFIX = ".jsonl";

  private static final Pattern FILE = Pattern.compile("\\d{8,18}-.*" + Pattern.quote(SUFFIX));

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

  /** Begins a file behind all that are there. The directory is made where need be. */
  public LogFile begin() throws IOException {
    store.clean();
    long newest = files().stream().mapToLong(LogDirectory::number).max().orElse(0);
    return new LogFile(store, newest + 1);
  }

  /** Whether it has any entry. */
  boolean isUsed() throws IOException {
    return !files().isEmpty();
  }

  /**
   * Reads all entries, older ones first.
   *
   * @throws dev.millrace.exchange.log.UnusableLogException if a line is no entry
   */
  public void read(Consumer<LogEntry> reader) throws IOException {
    for (String name : files().stream().sorted(comparingLong(LogDirectory::number)).toList()) {
      try (InputStream in = store.read(name)) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        text.lines()
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .map(LogLine::read)
            .forEach(reader);
      }
    }
  }

  private List<String> files() throws IOException {
    return store.names().stream().filter(name -> FILE.matcher(name).matches()).toList();
  }

  private static long number(String file) {
    return Long.parseLong(file.substring(0, file.indexOf('-')));
  }
}
