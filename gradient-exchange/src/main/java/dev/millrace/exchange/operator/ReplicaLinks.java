package dev.millrace.exchange.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Where a replica and the tasks of its process find their {@link ReplicaLink}. The key has the
 * attempt in it, so that a dead attempt can't reach a new one; replica and feedback sink count as
 * references, so that nothing stays behind when either goes first.
 */
public final class ReplicaLinks {

  /** Names this process, and this class loader in it: links reach no further. */
  public static final String HOME = UUID.randomUUID().toString();

  private record Key(JobID job, int attempt, int replica) {

    static Key of(RuntimeContext context, int replica) {
      return new Key(
          context.getJobInfo().getJobId(), context.getTaskInfo().getAttemptNumber(), replica);
    }

    static Key of(RuntimeContext context) {
      return of(context, context.getTaskInfo().getIndexOfThisSubtask());
    }

    boolean isOfSameAttempt(Key other) {
      return job.equals(other.job) && attempt == other.attempt;
    }
  }

  private static final class Entry {
    final ReplicaLink link = new ReplicaLink();
    int references;
  }

  private static final Map<Key, Entry> ENTRIES = new HashMap<>();

  private ReplicaLinks() {}

  /** The link of this subtask and attempt; to be {@linkplain #release released} once. */
  public static ReplicaLink acquire(RuntimeContext context) {
    synchronized (ENTRIES) {
      Entry entry = ENTRIES.computeIfAbsent(Key.of(context), any -> new Entry());
      entry.references++;
      return entry.link;
    }
  }

  public static void release(RuntimeContext context) {
    synchronized (ENTRIES) {
      ENTRIES.computeIfPresent(
          Key.of(context), (key, entry) -> --entry.references == 0 ? null : entry);
    }
  }

  /** The link of a replica of the same job and attempt; null if it isn't in this process. */
  static ReplicaLink find(RuntimeContext context, int replica) {
    synchronized (ENTRIES) {
      Entry entry = ENTRIES.get(Key.of(context, replica));
      return entry == null ? null : entry.link;
    }
  }

  /** The links of all replicas of the same job and attempt that are in this process. */
  static List<ReplicaLink> all(RuntimeContext context) {
    Key own = Key.of(context);
    synchronized (ENTRIES) {
      return ENTRIES.entrySet().stream()
          .filter(entry -> entry.getKey().isOfSameAttempt(own))
          .map(entry -> entry.getValue().link)
          .toList();
    }
  }

  /** Links in use in this process. */
  public static int inUse() {
    synchronized (ENTRIES) {
      return ENTRIES.size();
    }
  }
}
