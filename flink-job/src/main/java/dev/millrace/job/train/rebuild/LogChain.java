package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The entries of a log that lead to one version, in order. What attempts did that failed is none of
 * them.
 */
public final class LogChain {

  private final List<LogEntry> all;
  private final int first;

  /** The version that the first of all entries goes on from, and none leads to; null for none. */
  private final ModelVersion missingOrNull;

  private LogChain(List<LogEntry> all, int first, ModelVersion missingOrNull) {
    this.all = all;
    this.first = first;
    this.missingOrNull = missingOrNull;
  }

  /**
   * Goes back from a version to the start of the job, or to where the log begins.
   *
   * @throws UnusableLogException if the version isn't there
   */
  public static LogChain to(ModelVersion version, LogEntries log) {
    Optional<LogEntry> last = log.of(version);
    if (last.isEmpty()) {
      throw new UnusableLogException(
          "The log has no version %s. Look in the log, or at latest.json, for those that there are"
              .formatted(version));
    }
    List<LogEntry> back = new ArrayList<>();
    for (Optional<LogEntry> at = last; at.isPresent(); at = leadingTo(at.get(), log)) {
      back.add(at.get());
    }
    Collections.reverse(back);
    return new LogChain(back, 0, before(back.get(0)));
  }

  private static Optional<LogEntry> leadingTo(LogEntry entry, LogEntries log) {
    ModelVersion before = before(entry);
    if (before == null) {
      return Optional.empty();
    }
    return entry instanceof LogEntry.Round ? log.ofJob(before) : log.of(before);
  }

  /** Returns what an entry goes on from; null for the start of the job. */
  private static ModelVersion before(LogEntry entry) {
    if (entry instanceof Start start) {
      return start.fromOrNull();
    }
    if (entry instanceof Forgotten forgotten) {
      return forgotten.from();
    }
    ModelVersion version = entry.version();
    return new ModelVersion(version.generation(), version.round() - 1);
  }

  /**
   * Checks that it leads from the start of the job to its end.
   *
   * @throws UnusableLogException if it doesn't
   */
  LogChain whole() {
    if (missingOrNull != null) {
      throw new UnusableLogException(
          ("The log has no version %s, which version %s goes on from. If the job had no log before,"
                  + " begin at a savepoint or checkpoint of that version, or of a later one, by"
                  + " --from. The log may lack what an attempt made that failed before its next"
                  + " checkpoint")
              .formatted(missingOrNull, all.get(0).version()));
    }
    return this;
  }

  /**
   * Begins behind a version that there is a state of.
   *
   * @throws UnusableLogException if it isn't on the way
   */
  LogChain behind(ModelVersion version) {
    int place = placeOf(version);
    if (place < 0 && !version.equals(missingOrNull)) {
      throw new UnusableLogException(
          "Version %s isn't on the way to version %s".formatted(version, version()));
    }
    return new LogChain(all, place + 1, missingOrNull);
  }

  /** Whether the job was restored from the state that it begins behind. */
  boolean beginsWithARestore() {
    return entries().stream()
        .filter(entry -> !(entry instanceof Forgotten))
        .findFirst()
        .map(Start.class::isInstance)
        .orElse(false);
  }

  /** Returns its versions of which nothing was forgotten later. */
  public Set<ModelVersion> lasting() {
    Set<ModelVersion> lasting = new HashSet<>();
    for (LogEntry entry : all) {
      if (entry instanceof Forgotten) {
        lasting.clear();
      }
      lasting.add(entry.version());
    }
    return lasting;
  }

  /** Returns where its entry of a version is; -1 if there is none. */
  int placeOf(ModelVersion version) {
    for (int at = 0; at < all.size(); at++) {
      if (all.get(at).version().equals(version)) {
        return at;
      }
    }
    return -1;
  }

  /** Returns the version that it leads to. */
  ModelVersion version() {
    return all.get(all.size() - 1).version();
  }

  /** Returns the entries that are to be followed, in order. */
  public List<LogEntry> entries() {
    return all.subList(first, all.size());
  }

  /** Returns the entries before those that are to be followed, in order. */
  List<LogEntry> before() {
    return all.subList(0, first);
  }

  /** Returns all entries from the start of the job on, in order. */
  List<LogEntry> all() {
    return all;
  }

  /** Returns the contributions of a replica that are to be followed, in order. */
  Stream<LogEntry.Contributed> contributions(int replica) {
    return entries().stream()
        .filter(LogEntry.Round.class::isInstance)
        .flatMap(entry -> ((LogEntry.Round) entry).members().stream())
        .filter(member -> member.replica() == replica);
  }

  /** Returns all records that were forgotten on the way. */
  RecordSet forgotten() {
    return forgotten(all);
  }

  /** Returns the records that were forgotten behind where it begins. */
  RecordSet forgottenLater() {
    return forgotten(entries());
  }

  private static RecordSet forgotten(List<LogEntry> entries) {
    RecordSet records = new RecordSet();
    for (LogEntry entry : entries) {
      if (entry instanceof Forgotten forgotten) {
        forgotten.records().forEach(records::add);
      }
    }
    return records;
  }

  /** Returns how many replicas there were at most at a time. */
  int mostReplicas() {
    return starts(all).stream().mapToInt(Start::replicas).max().orElse(0);
  }

  /** Returns how many replicas there are where it begins. */
  int replicas() {
    List<Start> before = starts(all.subList(0, first));
    return before.isEmpty() ? 0 : before.get(before.size() - 1).replicas();
  }

  /** Whether the input of a replica had ended, or has. */
  boolean someEnded() {
    return all.stream()
        .anyMatch(entry -> entry instanceof LogEntry.Round round && !round.away().done().isEmpty());
  }

  /**
   * Returns how many replicas could have something to read at most, on all the way that is to be
   * followed. Where each replica could, it is all the same how many more that might have been.
   *
   * @throws UnusableLogException if there is no such number
   */
  int readers() {
    List<Start> followed = new ArrayList<>(List.of(start()));
    followed.addAll(starts(entries()));
    int readers =
        followed.stream()
            .filter(start -> start.readers() < start.replicas())
            .mapToInt(Start::readers)
            .findFirst()
            .orElseGet(() -> followed.stream().mapToInt(Start::readers).max().orElseThrow());
    for (Start start : followed) {
      int then = Math.min(start.readers(), start.replicas());
      if (Math.min(readers, start.replicas()) != then) {
        throw new UnusableLogException(
            ("From version %s on %s of %s replicas could have something to read, and %s at another time on"
                    + " the way to version %s: topics got other partitions, or there were other"
                    + " files. Begin at the state that it went on from, or at a later one, by --from")
                .formatted(start.version(), then, start.replicas(), readers, version()));
      }
    }
    return readers;
  }

  private static List<Start> starts(List<LogEntry> entries) {
    return entries.stream().filter(Start.class::isInstance).map(Start.class::cast).toList();
  }

  /** Returns the start that is in force for what is to be followed. */
  public Start start() {
    int next = first;
    while (next < all.size() && all.get(next) instanceof Forgotten) {
      next++;
    }
    List<Start> starts = starts(all.subList(0, Math.min(next + 1, all.size())));
    if (starts.isEmpty()) {
      throw new UnusableLogException("The log doesn't begin with the start of a job");
    }
    return starts.get(starts.size() - 1);
  }
}
