package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file of metric records, or all in a directory, and what is added to them. Ends when it is
 * closed.
 */
public final class FileWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
  private static final long POLL_MILLIS = 250;

  private final Path place;
  private final History history;
  private final Map<Path, RecordLines> files = new TreeMap<>();
  private final Thread thread;
  private volatile boolean closed;

  private FileWatch(Path place, History history) {
    this.place = place;
    this.history = history;
    this.thread = new Thread(this::run, "millrace-watch");
    this.thread.setDaemon(true);
  }

  /**
   * Begins to read what is there, and follows from then on. Returns at once: a file of months takes
   * seconds to read.
   *
   * @param place a file, which need not be there yet, or a directory, in which each {@code *.jsonl}
   *     is one
   */
  public static FileWatch start(Path place, History history) {
    FileWatch watch = new FileWatch(place, history);
    watch.thread.start();
    return watch;
  }

  /** Reads what is there, once. */
  public static void read(Path place, History history) throws IOException {
    new FileWatch(place, history).readAll();
  }

  private void run() {
    while (!closed) {
      try {
        readOrWarn();
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void readOrWarn() {
    try {
      readAll();
    } catch (IOException | UncheckedIOException e) {
      if (!closed) {
        LOG.warn("Metric records in {} can't be read just now: {}", place, e.toString());
      }
    }
  }

  private void readAll() throws IOException {
    for (Path file : found()) {
      RecordLines lines = files.computeIfAbsent(file, RecordLines::all);
      for (List<ObjectNode> next = lines.next(); !next.isEmpty(); next = lines.next()) {
        history.add(name(file), next);
      }
    }
  }

  private List<Path> found() throws IOException {
    if (!Files.isDirectory(place)) {
      return List.of(place);
    }
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(file -> file.getFileName().toString().endsWith(".jsonl")).sorted().toList();
    }
  }

  /** Returns a file's name without the ending: what people call a run. */
  private static String name(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".jsonl") ? name.substring(0, name.length() - ".jsonl".length()) : name;
  }

  /** Ends when all is read that is there by then. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    readOrWarn();
  }
}
