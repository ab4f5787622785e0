package dev.millrace.job.testing;

import dev.millrace.exchange.operator.FaultInjector;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Throws nothing, and counts how often a job is tried: each attempt reads its operators anew. Only
 * within one process.
 */
public final class Attempts implements FaultInjector {

  private static final Map<UUID, Integer> STARTED = new ConcurrentHashMap<>();

  /** The one task of which there is one only; a task's thread has its name. */
  private static final String ROSTER = "roster";

  private final UUID job = UUID.randomUUID();

  @Override
  public void reach(Place place, int subtask) {}

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (Thread.currentThread().getName().startsWith(ROSTER)) {
      STARTED.merge(job, 1, Integer::sum);
    }
  }

  public int count() {
    return STARTED.getOrDefault(job, 0);
  }
}
