package dev.millrace.cli.timeline;

import static dev.millrace.cli.timeline.TimelineRecords.member;
import static dev.millrace.cli.timeline.TimelineRecords.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trace of the last rounds, for a viewer of traces. */
class TimelineTraceTest {

  @TempDir Path directory;

  @Test
  void theTraceHasTheLastRoundsAndNothingBefore() throws IOException {
    write(
        round(1, 1, 1000, member(0, 1, 12, 2, 18, 7, 3, 40)),
        round(1, 2, 1040, member(0, 2, 12, 2, 18, 7, 3, 40)),
        round(1, 3, 1080, member(0, 3, 12, 2, 18, 7, 3, 40)));
    JsonNode trace = trace(2);

    assertThat(trace.path("displayTimeUnit").asText()).isEqualTo("ms");
    assertThat(names(trace))
        .containsExactly(
            entry("process_name", "Millrace"),
            entry("thread_name", "rounds"),
            entry("thread_name", "replica 0"));
    assertThat(trace.at("/traceEvents").findValuesAsText("name"))
        .contains("round 1.2", "round 1.3")
        .doesNotContain("round 1.1");
    // Round 2 was closed at 1040 ms, 18 ms after the contribution to it was announced.
    List<JsonNode> phases = events(trace, 2);
    assertThat(phases).hasSize(12);
    assertThat(phases.get(6).path("name").asText()).isEqualTo("wait");
    assertThat(phases.get(6).path("ts").asLong()).isEqualTo(1_022_000);
    assertThat(phases.get(6).path("dur").asLong()).isEqualTo(18_000);
    assertThat(phases.get(6).at("/args/round").asText()).isEqualTo("1.3");
    assertThat(phases.get(6).at("/args/contribution").asLong()).isEqualTo(3);
    assertThat(phases.get(6).at("/args/steps").asInt()).isEqualTo(3);
    assertThat(phases.subList(6, 12))
        .extracting(event -> event.path("name").asText())
        .containsExactly("wait", "exchange", "apply", "other", "local fit", "encode");
  }

  @Test
  void whatGoesByMeanwhileHasATrackOfItsOwn() throws IOException {
    write(
        round(1, 1, 1000, member(0, 1, 90, 5, 40, 30, 5, 100)),
        round(1, 2, 1100, member(0, 2, 90, 5, 40, 90, 5, 100)));
    JsonNode trace = trace(40);

    assertThat(names(trace)).contains(entry("thread_name", "replica 0, meanwhile"));
    assertThat(events(trace, 2))
        .extracting(event -> event.path("name").asText())
        .containsExactly("apply", "local fit", "encode", "apply", "local fit", "encode");
    List<JsonNode> meanwhile = events(trace, 3);
    assertThat(meanwhile)
        .extracting(event -> event.path("name").asText())
        .containsExactly("wait", "exchange", "wait", "exchange");
    assertThat(meanwhile.get(3).path("dur").asLong()).as("cut off").isEqualTo(60_000);
  }

  @Test
  void eventsOfATrackNeverOverlap() throws IOException {
    write(
        round(1, 1, 1000, member(0, 1, 12.3456, 2, 18, 7, 3, 40), member(1, 1, 30, 2, 0, 7, 3, 39)),
        round(1, 2, 1041, member(0, 2, 12.5, 2, 18, 7, 3, 40.2), member(1, 2, 30, 2, 0, 7, 3, 42)),
        // The third contribution of replica 1 is missing.
        round(1, 3, 1080, member(0, 3, 12, 2, 19.7, 7, 3, 40), member(1, 4, 30, 2, 0, 7, 3, 60)));
    JsonNode trace = trace(40);

    for (int track : List.of(1, 2, 4)) {
      long end = 0;
      for (JsonNode event : events(trace, track)) {
        assertThat(event.path("pid").isInt()).isTrue();
        assertThat(event.path("ts").isIntegralNumber()).isTrue();
        assertThat(event.path("ts").asLong()).isGreaterThanOrEqualTo(end);
        assertThat(event.path("dur").asLong()).isPositive();
        end = event.path("ts").asLong() + event.path("dur").asLong();
      }
      assertThat(end).isPositive();
    }
  }

  @Test
  void aRoundWithoutMembersIsARoundToo() throws IOException {
    TimelineReport report = read(round(1, 1, 1000), round(1, 2, 1010));

    assertThat(trace(40).at("/traceEvents").findValuesAsText("name")).contains("round 1.2");
    assertThat(report.toText()).contains("Rounds:      2 of 0 replicas", "Latency:     none");
  }

  private JsonNode trace(int lastRounds) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TimelineReport.read(file(), lastRounds).writeTrace(out);
    return new JsonMapper().readTree(out.toByteArray());
  }

  private static List<Map.Entry<String, String>> names(JsonNode trace) {
    List<Map.Entry<String, String>> names = new ArrayList<>();
    for (JsonNode event : trace.path("traceEvents")) {
      if (event.path("ph").asText().equals("M")) {
        names.add(entry(event.path("name").asText(), event.at("/args/name").asText()));
      }
    }
    return names;
  }

  private static List<JsonNode> events(JsonNode trace, int track) {
    List<JsonNode> events = new ArrayList<>();
    for (JsonNode event : trace.path("traceEvents")) {
      if (event.path("ph").asText().equals("X") && event.path("tid").asInt() == track) {
        events.add(event);
      }
    }
    return events;
  }

  private TimelineReport read(String... lines) throws IOException {
    write(lines);
    return TimelineReport.read(file(), 40);
  }

  private void write(String... lines) throws IOException {
    Files.writeString(file(), String.join("\n", lines));
  }

  private Path file() {
    return directory.resolve("metrics.jsonl");
  }
}
