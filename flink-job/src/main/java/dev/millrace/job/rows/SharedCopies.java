package dev.millrace.job.rows;

import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The copies that are open in this process, each for as many as use it. Thread-safe. */
final class SharedCopies {

  private static final Map<CopiedPlace, Shared> OPEN = new HashMap<>();

  private SharedCopies() {}

  private static final class Shared {

    /** Null before it is open, and once nobody uses it. */
    FollowedRows rows;

    int users;
  }

  /** Opens the copy of a place, or shares the one that is open. Opening one waits for no other. */
  static ServedRows open(CopiedPlace place) throws IOException {
    Shared shared;
    synchronized (OPEN) {
      shared = OPEN.computeIfAbsent(place, any -> new Shared());
      shared.users++;
    }
    boolean opened = false;
    try {
      synchronized (shared) {
        if (shared.rows == null) {
          shared.rows = FollowedRows.open(place);
        }
      }
      opened = true;
      return new Use(place, shared);
    } finally {
      if (!opened) {
        release(place, shared);
      }
    }
  }

  private static void release(CopiedPlace place, Shared shared) {
    synchronized (shared) {
      synchronized (OPEN) {
        shared.users--;
        if (shared.users > 0) {
          return;
        }
      }
      // Whoever opens it now waits until it is closed: a directory is of one.
      if (shared.rows != null) {
        shared.rows.close();
        shared.rows = null;
      }
      synchronized (OPEN) {
        if (shared.users == 0) {
          OPEN.remove(place, shared);
        }
      }
    }
  }

  /** One of those that use a copy. */
  private static final class Use implements ServedRows {

    private final CopiedPlace place;
    private final Shared shared;
    private final FollowedRows rows;
    private boolean closed;

    Use(CopiedPlace place, Shared shared) {
      this.place = place;
      this.shared = shared;
      this.rows = shared.rows;
    }

    @Override
    public Reader reader(ExampleShape shape) {
      return rows.reader(shape);
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        release(place, shared);
      }
    }
  }
}
