package dev.millrace.job.rows;

import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of rows that a thread keeps up to date. While their place can't be read, predictions go on
 * with the rows that there are. They do so, too, while it is read anew: since another one has its
 * name, or the copy is so old that it may have missed what was removed.
 *
 * <p>Thread-safe.
 */
final class FollowedRows {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedRows.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A copy that was killed mustn't look older than it is, or it would begin anew. */
  private static final Duration FLUSH = Duration.ofMinutes(10);

  private final CopiedPlace place;
  private final Path directory;
  private final LocalRows copy;
  private final Thread thread;
  private RowFeed feed;
  private long flushed = System.currentTimeMillis();
  private volatile boolean closed;
  private String trouble = "";

  private FollowedRows(CopiedPlace place, Path directory, LocalRows copy) {
    this.place = place;
    this.directory = directory;
    this.copy = copy;
    this.thread = new Thread(this::run, "millrace-rows");
    this.thread.setDaemon(true);
  }

  /** Opens the copy, and reads what there is now. */
  static FollowedRows open(CopiedPlace place) throws IOException {
    Path directory =
        place.directory().isEmpty()
            ? TemporaryFiles.directory("millrace-rows-")
            : Path.of(place.directory());
    FollowedRows rows = new FollowedRows(place, directory, LocalRows.open(directory));
    boolean opened = false;
    try {
      rows.catchUp();
      rows.thread.start();
      opened = true;
      return rows;
    } finally {
      if (!opened) {
        rows.end();
      }
    }
  }

  private void catchUp() throws IOException {
    follow();
    long taken = 0;
    while (!feed.hasCaughtUp()) {
      taken += read();
    }
    read();
    LOG.info("The copy of {} in {} is up to date, {} changes later", place, directory, taken);
  }

  private void follow() throws IOException {
    // It is read again.
    copy.discard();
    String stands = copy.stands(place.name());
    feed = place.follow(stands);
    if (!feed.goesOn()) {
      if (!stands.isEmpty()) {
        LOG.info("The copy in {} can't go on with {}, which is read anew", directory, place);
      }
      copy.beginAnew();
    }
  }

  private int read() throws IOException {
    int taken = feed.read(POLL, copy);
    long now = System.currentTimeMillis();
    if (now - flushed > FLUSH.toMillis()) {
      copy.flush();
      flushed = now;
    }
    if (!copy.isWhole() && feed.hasCaughtUp()) {
      copy.becomeWhole();
      LOG.info("The copy in {} has all of {}, and is read", directory, place);
    }
    return taken;
  }

  private void run() {
    while (!closed) {
      try {
        if (feed == null) {
          follow();
        }
        read();
        trouble = "";
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          fail(e);
        }
      }
    }
  }

  private void fail(Exception e) {
    String why = Reason.of(e);
    if (!why.equals(trouble)) {
      LOG.warn("{} can't be read; predictions go on with the rows in {}", place, directory, e);
      trouble = why;
    }
    stopFollowing();
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException interrupted) {
      // Only close() ends this thread.
      LOG.debug("Woken up", interrupted);
    }
  }

  private void stopFollowing() {
    if (feed != null) {
      feed.close();
      feed = null;
    }
  }

  Path directory() {
    return directory;
  }

  ServedRows.Reader reader(ExampleShape shape) {
    return new CopyReader(copy, shape);
  }

  /** Ends the thread, and closes the copy: nobody reads any more. */
  void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    end();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    stopFollowing();
    copy.close();
    if (place.directory().isEmpty()) {
      FileUtils.deleteDirectoryQuietly(directory.toFile());
    }
  }
}
