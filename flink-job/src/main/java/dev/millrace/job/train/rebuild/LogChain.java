package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The entries of a log that lead to one version, in order. What attempts did that failed is none of
 * them.
 */
public final class LogChain {

  private final List<LogEntry> entries;

  private LogChain(List<LogEntry> entries) {
    this.entries = entries;
  }

  /**
   * Goes back from a version to the start of the job.
   *
   * @param log its entries by their versions
   * @throws UnusableLogException if the version isn't there, or an entry on the way
   */
  public static LogChain to(ModelVersion version, Map<ModelVersion, LogEntry> log) {
    List<LogEntry> back = new ArrayList<>();
    for (ModelVersion at = version; at != null; ) {
      LogEntry entry = log.get(at);
      if (entry == null) {
        throw new UnusableLogException(lacks(at, version, back.isEmpty()));
      }
      back.add(entry);
      at =
          entry instanceof Start start
              ? start.fromOrNull()
              : new ModelVersion(at.generation(), at.round() - 1);
    }
    Collections.reverse(back);
    return new LogChain(back);
  }

  private static String lacks(ModelVersion missing, ModelVersion wanted, boolean isWanted) {
    return isWanted
        ? "The log has no version %s. Look in the log, or at latest.json, for those that there are"
            .formatted(wanted)
        : "The log has no version %s, which version %s goes on from".formatted(missing, wanted);
  }

  /** Returns the entries, in order. */
  public List<LogEntry> entries() {
    return entries;
  }

  /** Returns how many replicas there were at most at a time. */
  int mostReplicas() {
    return entries.stream()
        .filter(Start.class::isInstance)
        .mapToInt(start -> ((Start) start).replicas())
        .max()
        .orElse(0);
  }

  /** Returns the first start, which says how many replicas there were. */
  public Start start() {
    if (entries.get(0) instanceof Start start) {
      return start;
    }
    throw new UnusableLogException("The log doesn't begin with the start of a job");
  }
}
