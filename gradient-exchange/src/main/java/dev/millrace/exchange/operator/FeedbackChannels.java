package dev.millrace.exchange.operator;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Where feedback sinks and replicas of one process find their channel. The key has the attempt in
 * it, so that a dead attempt can't reach a new one; both ends count as references, so that nothing
 * stays behind when either goes first.
 */
public final class FeedbackChannels {

  /** Names this process, and this class loader in it: channels reach no further. */
  public static final String HOME = UUID.randomUUID().toString();

  private record Key(JobID job, int attempt, int subtask) {}

  private static final class Entry {
    final FeedbackChannel channel = new FeedbackChannel();
    int references;
  }

  private static final Map<Key, Entry> ENTRIES = new HashMap<>();

  private FeedbackChannels() {}

  /** The channel of this subtask and attempt; to be {@linkplain #release released} once. */
  public static FeedbackChannel acquire(RuntimeContext context) {
    synchronized (ENTRIES) {
      Entry entry = ENTRIES.computeIfAbsent(key(context), any -> new Entry());
      entry.references++;
      return entry.channel;
    }
  }

  public static void release(RuntimeContext context) {
    synchronized (ENTRIES) {
      ENTRIES.computeIfPresent(
          key(context), (key, entry) -> --entry.references == 0 ? null : entry);
    }
  }

  /** Channels in use in this process. */
  public static int inUse() {
    synchronized (ENTRIES) {
      return ENTRIES.size();
    }
  }

  private static Key key(RuntimeContext context) {
    return new Key(
        context.getJobInfo().getJobId(),
        context.getTaskInfo().getAttemptNumber(),
        context.getTaskInfo().getIndexOfThisSubtask());
  }
}
