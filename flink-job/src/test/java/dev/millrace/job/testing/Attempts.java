package dev.millrace.job.testing;

import dev.millrace.exchange.flink.FaultInjector;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Throws nothing, and counts how often a job is tried: each attempt reads its operators anew. Only
 * within one process.
 */
public final class Attempts implements FaultInjector {

  /** As a task's thread is named: the task, its subtask, and the number of the attempt. */
  private static final Pattern TASK = Pattern.compile("(.*\\(\\d+/\\d+\\))#\\d+.*");

  private static final Map<UUID, Set<String>> STARTED = new ConcurrentHashMap<>();

  private final UUID job = UUID.randomUUID();

  @Override
  public void reach(Place place, int subtask) {}

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    String thread = Thread.currentThread().getName();
    if (TASK.matcher(thread).matches()) {
      STARTED.computeIfAbsent(job, any -> ConcurrentHashMap.newKeySet()).add(thread);
    }
  }

  /** Of the task that was tried most often: an attempt may fail before another task has begun. */
  public int count() {
    return STARTED.getOrDefault(job, Set.of()).stream()
        .collect(Collectors.groupingBy(Attempts::task, Collectors.summingInt(any -> 1)))
        .values()
        .stream()
        .max(Integer::compare)
        .orElse(0);
  }

  private static String task(String thread) {
    Matcher matcher = TASK.matcher(thread);
    return matcher.matches() ? matcher.group(1) : thread;
  }
}
