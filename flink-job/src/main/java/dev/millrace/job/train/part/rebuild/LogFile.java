package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * A file of a {@link LogDirectory}, which is written once: what a completed checkpoint relies on is
 * never replaced.
 *
 * <p>Not thread-safe.
 */
public final class LogFile {

  private static final int FULL_BYTES = 4 << 20;

  private final SnapshotStore store;
  private final long number;
  private final List<byte[]> lines = new ArrayList<>();
  private int bytes;

  /** {@code number} is greater than those of all files that are there. */
  LogFile(SnapshotStore store, long number) {
    this.store = store;
    this.number = number;
  }

  public void add(LogEntry entry) {
    byte[] line = LogLine.write(entry);
    lines.add(line);
    bytes += line.length;
  }

  /** Whether more isn't to be kept in memory. */
  boolean isFull() {
    return bytes >= FULL_BYTES;
  }

  /**
   * Writes what was added, durably, if anything was.
   *
   * @return the file for what follows
   */
  public LogFile write() throws IOException {
    if (lines.isEmpty()) {
      return this;
    }
    // An attempt that is given up may write a file of the same number.
    String name =
        String.format(Locale.ROOT, "%08d-%s%s", number, UUID.randomUUID(), LogDirectory.SUFFIX);
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
    return new LogFile(store, number + 1);
  }
}
