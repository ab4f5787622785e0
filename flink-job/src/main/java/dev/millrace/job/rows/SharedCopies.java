package dev.millrace.job.rows;

import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The copies that are open in this process, each for as many as use it. Thread-safe. */
final class SharedCopies {

  private static final Map<TopicRows, Shared> OPEN = new HashMap<>();

  private SharedCopies() {}

  private static final class Shared {

    final FollowedRows rows;
    int users;

    Shared(FollowedRows rows) {
      this.rows = rows;
    }
  }

  /** Opens the copy of a place, or shares the one that is open. */
  static ServedRows open(TopicRows place) throws IOException {
    synchronized (OPEN) {
      Shared shared = OPEN.get(place);
      if (shared == null) {
        shared = new Shared(FollowedRows.open(place));
        OPEN.put(place, shared);
      }
      shared.users++;
      return new Use(place, shared);
    }
  }

  private static void release(TopicRows place, Shared shared) {
    synchronized (OPEN) {
      shared.users--;
      if (shared.users == 0) {
        OPEN.remove(place);
        shared.rows.close();
      }
    }
  }

  /** One of those that use a copy. */
  private static final class Use implements ServedRows {

    private final TopicRows place;
    private Shared sharedOrNull;

    Use(TopicRows place, Shared shared) {
      this.place = place;
      this.sharedOrNull = shared;
    }

    @Override
    public synchronized Reader reader(ExampleShape shape) {
      return sharedOrNull.rows.reader(shape);
    }

    @Override
    public synchronized void close() {
      if (sharedOrNull != null) {
        release(place, sharedOrNull);
        sharedOrNull = null;
      }
    }
  }
}
