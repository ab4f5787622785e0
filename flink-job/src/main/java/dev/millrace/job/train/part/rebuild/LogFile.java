package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A file of a {@link LogDirectory} that has one writer. It is written as a whole each time, so that
 * there is one for many checkpoints.
 *
 * <p>Not thread-safe.
 */
public final class LogFile {

  private static final int FULL_BYTES = 256 << 10;

  private final SnapshotStore store;
  private final long number;
  private final List<byte[]> lines = new ArrayList<>();
  private int bytes;
  private int written;

  /** The version of the first entry; of two writers that begin at once each has another. */
  private String first = "";

  /** {@code number} is greater than those of all files that are there. */
  LogFile(SnapshotStore store, long number) {
    this.store = store;
    this.number = number;
  }

  /** Returns the one that goes on behind this one. */
  LogFile next() {
    return new LogFile(store, number + 1);
  }

  public void add(LogEntry entry) {
    if (lines.isEmpty()) {
      first = entry.version().toString();
    }
    byte[] line = LogLine.write(entry);
    lines.add(line);
    bytes += line.length;
  }

  /** Whether it is long enough. */
  boolean isFull() {
    return bytes >= FULL_BYTES;
  }

  /** Writes what was added, durably, if anything was since it was written last. */
  public void write() throws IOException {
    if (written == lines.size()) {
      return;
    }
    store.put(
        String.format(Locale.ROOT, "%08d-%s%s", number, first, LogDirectory.SUFFIX),
        file -> {
          try (OutputStream out = Files.newOutputStream(file)) {
            for (byte[] line : lines) {
              out.write(line);
              out.write('\n');
            }
          }
        });
    written = lines.size();
  }
}
