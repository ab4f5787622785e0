package dev.millrace.cli.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Rounds and the phases of replicas in the Trace Event Format, which Perfetto and chrome://tracing
 * open: one process with a track for rounds, one for each replica, and, where replicas train while
 * a round is under way, a second one for each replica with what goes by meanwhile. Events of one
 * track never overlap.
 */
final class TraceEvents {

  private static final int PROCESS = 1;
  private static final int ROUNDS = 1;

  private final JsonGenerator json;

  /** Microseconds since the epoch at which a track's last event ends. */
  private final Map<Integer, Long> ends = new HashMap<>();

  private TraceEvents(JsonGenerator json) {
    this.json = json;
  }

  /**
   * Writes one JSON object in UTF-8; leaves {@code out} open.
   *
   * @param rounds at least one, in their order
   */
  static void write(List<TimelineRound> rounds, List<Period> periods, OutputStream out)
      throws IOException {
    try (JsonGenerator json = new JsonMapper().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("displayTimeUnit", "ms");
      json.writeArrayFieldStart("traceEvents");
      TraceEvents events = new TraceEvents(json);
      events.names(periods);
      events.rounds(rounds, periods);
      for (Period period : periods) {
        events.phases(period);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void names(List<Period> periods) throws IOException {
    metadata("process_name", ROUNDS, "Millrace");
    metadata("thread_name", ROUNDS, "rounds");
    TreeSet<Integer> replicas = new TreeSet<>();
    TreeSet<Integer> withMeanwhile = new TreeSet<>();
    for (Period period : periods) {
      int replica = period.member().replica();
      replicas.add(replica);
      if (!period.times().meanwhileShares().isEmpty()) {
        withMeanwhile.add(replica);
      }
    }
    for (int replica : replicas) {
      metadata("thread_name", track(replica), "replica " + replica);
      if (withMeanwhile.contains(replica)) {
        metadata("thread_name", track(replica) + 1, "replica %s, meanwhile".formatted(replica));
      }
    }
  }

  private void metadata(String kind, int track, String name) throws IOException {
    begin(kind, "M", track);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Each from the end of the one before; the first from when a replica began with its part. */
  private void rounds(List<TimelineRound> rounds, List<Period> periods) throws IOException {
    double start = rounds.get(0).time();
    for (Period period : periods) {
      start = period.round().equals(rounds.get(0)) ? Math.min(start, period.start()) : start;
    }
    for (TimelineRound round : rounds) {
      if (begin("round " + round.version(), ROUNDS, start, (double) round.time())) {
        json.writeEndObject();
      }
      start = (double) round.time();
    }
  }

  private void phases(Period period) throws IOException {
    int track = track(period.member().replica());
    double at = period.start();
    for (Phase phase : Phase.values()) {
      double end = at + period.times().millis(phase);
      phase(phase, track, at, end, period);
      at = end;
    }
    // The contribution before was sent when this period began.
    at = period.start();
    for (Phase phase : Phase.values()) {
      double end = Math.min(period.end(), at + period.times().meanwhile(phase));
      phase(phase, track + 1, at, end, period);
      at = end;
    }
  }

  private void phase(Phase phase, int track, double start, double end, Period period)
      throws IOException {
    if (!begin(phase.title(), track, start, end)) {
      return;
    }
    json.writeObjectFieldStart("args");
    json.writeStringField("round", period.round().version());
    json.writeNumberField("contribution", period.member().sequence());
    json.writeNumberField("steps", period.member().steps());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Begins an event with a length; false where the track has no time left for it. */
  private boolean begin(String name, int track, double startMillis, double endMillis)
      throws IOException {
    long start = Math.max(Math.round(1000 * startMillis), ends.getOrDefault(track, 0L));
    long end = Math.round(1000 * endMillis);
    if (end <= start) {
      return false;
    }
    ends.put(track, end);
    begin(name, "X", track);
    json.writeNumberField("ts", start);
    json.writeNumberField("dur", end - start);
    return true;
  }

  private void begin(String name, String type, int track) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("ph", type);
    json.writeNumberField("pid", PROCESS);
    json.writeNumberField("tid", track);
  }

  private static int track(int replica) {
    return ROUNDS + 1 + 2 * replica;
  }
}
