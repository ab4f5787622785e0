package dev.millrace.job.train.rebuild;

import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.history.HistoryReading;
import dev.millrace.job.train.history.HistorySetup;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Records of files, read as the job read them. Each file is read once, in its order, unless an
 * attempt of the job had begun again further in front, or more files are read in turn than may be
 * open.
 *
 * <p>Not thread-safe.
 */
final class FileExamples implements LoggedExamples {

  /**
   * The most files that are open, which may be copies on this machine: enough for a job whose
   * replicas all read through this one. What is closed is read from its start again, and the last
   * lines of a file may be no examples that anybody asks for.
   */
  static final int MOST_OPEN = 16;

  private final Supplier<HistorySetup> files;

  /** The least recently used ones first. */
  private final Map<String, Reading> open = new LinkedHashMap<>(MOST_OPEN, 0.75f, true);

  /** A file that is open, and its next record; null at the end. */
  private static final class Reading {

    private final HistoryReading records;
    private Received nextOrNull;

    Reading(HistoryReading records) throws IOException {
      this.records = records;
      try {
        this.nextOrNull = records.next();
      } catch (IOException | RuntimeException e) {
        records.close();
        throw e;
      }
    }

    boolean isBehind(long line) {
      return nextOrNull != null && nextOrNull.offset() < line;
    }
  }

  /** {@code files} makes what reads one of them, which may be open beside others. */
  FileExamples(Supplier<HistorySetup> files) {
    this.files = files;
  }

  @Override
  public Partition partition(String file, int number) {
    return new Partition(file, number);
  }

  @Override
  public void read(RecordRun run, Consumer<Received> reader) {
    try {
      for (long line = run.first(); line < run.end(); line++) {
        reader.accept(record(run.topic(), line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Received record(String file, long line) throws IOException {
    Reading reading = reading(file, line);
    while (reading.isBehind(line)) {
      reading.nextOrNull = reading.records.next();
    }
    Received found = reading.nextOrNull;
    if (found == null || found.offset() != line) {
      throw new UnusableLogException(
          "The record of line %s of %s was learned, and isn't there; files have to be as they were"
              .formatted(line, file));
    }
    reading.nextOrNull = reading.records.next();
    if (reading.nextOrNull == null) {
      close(file);
    }
    return found;
  }

  /** Returns one that isn't beyond the line. */
  private Reading reading(String file, long line) throws IOException {
    Reading before = open.get(file);
    if (before != null && before.nextOrNull.offset() > line) {
      close(file);
    }
    Reading reading = open.get(file);
    if (reading == null) {
      if (open.size() == MOST_OPEN) {
        close(open.keySet().iterator().next());
      }
      reading = new Reading(files.get().open(file));
      open.put(file, reading);
    }
    return reading;
  }

  /** Returns how many files are open. */
  int open() {
    return open.size();
  }

  boolean isOpen(String file) {
    return open.containsKey(file);
  }

  private void close(String file) throws IOException {
    open.remove(file).records.close();
  }

  @Override
  public void close() {
    try {
      for (Reading reading : open.values()) {
        reading.records.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
