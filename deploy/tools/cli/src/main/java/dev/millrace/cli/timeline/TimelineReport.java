package dev.millrace.cli.timeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.cli.timeline.TimelineReader.Unreadable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the time of training went, as a file of metric records tells it. */
public final class TimelineReport {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Unreadable unreadable;
  private final TimelineSummary summary;
  private final List<Period> periods;
  private final List<TimelineRound> latest;

  private TimelineReport(Unreadable unreadable, TimelineSummarizer rounds) {
    this.unreadable = unreadable;
    this.latest = rounds.latest();
    this.periods = Period.of(latest, rounds.latestOverlap());
    this.summary = rounds.summary(unreadable.count());
  }

  /**
   * Reads the timelines of a file; other records are skipped.
   *
   * @param lastRounds how many rounds the trace has; none from before a restart
   * @throws IOException naming the file, where it can't be read or there is no timeline in it
   */
  public static TimelineReport read(Path file, int lastRounds) throws IOException {
    TimelineSummarizer rounds = new TimelineSummarizer(lastRounds);
    Unreadable unreadable = TimelineReader.read(file, rounds::add);
    if (rounds.isEmpty()) {
      throw new IOException(
          "%s has no timeline records; a job writes them where metrics.timeline: true is set%s"
              .formatted(file, unreadable.count() == 0 ? "" : " (" + note(unreadable) + ")"));
    }
    return new TimelineReport(unreadable, rounds);
  }

  /** A sentence on lines that were left out; empty where none was. */
  public Optional<String> note() {
    return unreadable.count() == 0 ? Optional.empty() : Optional.of(note(unreadable) + ".");
  }

  private static String note(Unreadable unreadable) {
    return unreadable.count() == 1
        ? "line %s is no whole record and left out".formatted(unreadable.first())
        : "%s lines are no whole records and left out, the first of them line %s"
            .formatted(unreadable.count(), unreadable.first());
  }

  /** The figures, for programs. */
  public String toJson() {
    try {
      return MAPPER.writeValueAsString(summary);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A summary that is no JSON", e);
    }
  }

  /** The figures, for a terminal. */
  public String toText() {
    return new TimelineText(summary).write();
  }

  /** Writes the last rounds, one by one, as trace events; leaves {@code out} open. */
  public void writeTrace(OutputStream out) throws IOException {
    TraceEvents.write(latest, periods, out);
  }
}
