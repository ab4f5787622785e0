package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * The runs that one source of metric records tells of, one after the other.
 *
 * <p>Not thread-safe.
 */
final class Source {

  private final String name;
  private final Deque<Run> runs = new ArrayDeque<>();
  private int begun;

  Source(String name) {
    this.name = name;
  }

  /** Whether a record is of a run that has not begun yet. */
  boolean beginsRun(ObjectNode record) {
    return runs.isEmpty() || runs.getLast().isOver(record);
  }

  Run begin() {
    begun++;
    Run run = new Run(name + "#" + begun, begun == 1 ? name : "%s, run %s".formatted(name, begun));
    runs.add(run);
    return run;
  }

  /** The run that goes on. */
  Run last() {
    return runs.getLast();
  }

  Collection<Run> runs() {
    return runs;
  }

  /** Forgets the oldest run; false where that goes on. */
  boolean forgetOldest() {
    if (runs.size() < 2) {
      return false;
    }
    runs.removeFirst();
    return true;
  }
}
