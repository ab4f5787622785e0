package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The entries of a log by their versions. A job takes a generation that forgetting has named, too,
 * where it goes on from the state that knows the records.
 */
public final class LogEntries {

  private final Map<ModelVersion, LogEntry> made = new HashMap<>();
  private final Map<ModelVersion, Forgotten> forgotten = new HashMap<>();

  /** Adds one, in place of what failed attempts have told of its version. */
  public void add(LogEntry entry) {
    if (entry instanceof Forgotten once) {
      forgotten.put(once.version(), once);
    } else {
      made.put(entry.version(), entry);
    }
  }

  /**
   * Finds the entry that leads to a version.
   *
   * @throws UnusableLogException if two do
   */
  public Optional<LogEntry> of(ModelVersion version) {
    LogEntry one = made.get(version);
    Forgotten other = forgotten.get(version);
    if (one != null && other != null) {
      throw new UnusableLogException(
          "The log has two versions %s: records were forgotten in a state of %s, and a job went on from the state that knows them"
              .formatted(version, other.from()));
    }
    return Optional.ofNullable(one == null ? other : one);
  }

  /** Finds the entry that leads to a version, which a round was made behind. */
  Optional<LogEntry> ofJob(ModelVersion version) {
    return Optional.ofNullable(made.get(version));
  }

  /** Whether a job made a round behind a version, or began with it. */
  boolean goOnFrom(ModelVersion version) {
    return made.containsKey(new ModelVersion(version.generation(), version.round() + 1))
        || made.values().stream()
            .anyMatch(entry -> entry instanceof Start start && version.equals(start.fromOrNull()));
  }

  /** Returns the versions that it leads to. */
  public SortedSet<ModelVersion> versions() {
    SortedSet<ModelVersion> versions = new TreeSet<>(made.keySet());
    versions.addAll(forgotten.keySet());
    return versions;
  }

  /** Returns all of them, in no order. */
  public List<LogEntry> all() {
    List<LogEntry> all = new ArrayList<>(made.values());
    all.addAll(forgotten.values());
    return all;
  }
}
