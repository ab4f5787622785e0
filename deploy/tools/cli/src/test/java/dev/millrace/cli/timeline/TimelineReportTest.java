package dev.millrace.cli.timeline;

import static dev.millrace.cli.timeline.TimelineRecords.member;
import static dev.millrace.cli.timeline.TimelineRecords.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineReportTest {

  private static final Offset<Double> ROUNDING = within(1e-9);

  @TempDir Path directory;

  /** Replica 1 takes 30 ms for three steps and replica 0 takes 12: of 40 ms it waits for 18. */
  @Test
  void sharesAreThoseOfTheReplicasTime() throws IOException {
    JsonNode told =
        json(
            round(1, 1, 1000, member(0, 1, 12, 2, 18, 7, 3, 40), member(1, 1, 30, 2, 0, 7, 3, 40)),
            round(1, 2, 1040, member(0, 2, 12, 2, 18, 7, 3, 40), member(1, 2, 30, 2, 0, 7, 3, 40)),
            round(1, 3, 1090, member(0, 3, 12, 2, 18, 7, 3, 40), member(1, 3, 30, 2, 0, 7, 3, 40)));

    assertThat(told.path("rounds").asInt()).isEqualTo(3);
    assertThat(told.path("first").asText()).isEqualTo("1.1");
    assertThat(told.path("last").asText()).isEqualTo("1.3");
    assertThat(told.path("roundsPerSecond").asDouble()).isEqualTo(2 / 0.09, ROUNDING);
    JsonNode replica = told.at("/replicas/0");
    assertThat(replica.path("contributions").asInt()).isEqualTo(3);
    assertThat(replica.path("steps").asInt()).isEqualTo(9);
    assertThat(replica.at("/shares/fit").asDouble()).isEqualTo(0.3, ROUNDING);
    assertThat(replica.at("/shares/wait").asDouble()).isEqualTo(0.45, ROUNDING);
    assertThat(replica.at("/shares/encode").asDouble()).isEqualTo(0.05, ROUNDING);
    // The 3 ms of applying are part of the 7 until the round was known.
    assertThat(replica.at("/shares/exchange").asDouble()).isEqualTo(0.1, ROUNDING);
    assertThat(replica.at("/shares/apply").asDouble()).isEqualTo(0.075, ROUNDING);
    assertThat(replica.at("/shares/other").asDouble()).isEqualTo(0.025, ROUNDING);
    assertThat(told.at("/shares/fit").asDouble()).isEqualTo(0.525, ROUNDING);
    assertThat(told.path("meanwhile")).isEmpty();
  }

  @Test
  void aStragglerIsNamed() throws IOException {
    JsonNode told =
        json(
            round(1, 1, 1000, member(0, 1, 12, 2, 18, 7, 3, 40), member(1, 1, 30, 2, 0, 7, 3, 40)));

    assertThat(told.at("/slowest/replica").asInt()).isEqualTo(1);
    assertThat(told.at("/slowest/othersWait").asDouble()).isEqualTo(0.45, ROUNDING);
    // 40 ms less 25 of latency, and 40 less 7, by three steps.
    assertThat(told.at("/slowest/othersStepTime").asDouble()).isEqualTo(5, within(0.05));
    assertThat(told.at("/slowest/stepTime").asDouble()).isEqualTo(11, within(0.1));
    assertThat(told.at("/advice/0").asText())
        .startsWith("Replica 1 makes the others wait for 45 % of the time")
        .contains("exchange.straggler-wait", "exchange.schedule overlap");
    assertThat(told.at("/advice/1").asText())
        .startsWith("The exchange takes 23 % of the time")
        .contains("exchange.local-steps", "exchange.overhead");
    assertThat(told.has("roundsPerSecond")).isFalse();
  }

  @Test
  void withoutAStragglerNoReplicaIsBlamed() throws IOException {
    JsonNode told =
        json(
            round(
                1,
                1,
                1000,
                member(0, 1, 80, 0, 15, 5, 0, 100),
                member(1, 1, 79, 0, 16, 5, 0, 100)));

    assertThat(told.path("advice")).hasSize(1);
    assertThat(told.at("/advice/0").asText()).startsWith("Replicas wait for each other for 16 %");
  }

  @Test
  void whereAllIsWellItSaysSo() throws IOException {
    JsonNode told = json(round(1, 1, 1000, member(0, 1, 95, 1, 0, 3, 1, 100)));

    assertThat(told.path("advice")).hasSize(1);
    assertThat(told.at("/advice/0").asText()).startsWith("Local fits take 95 % of the time");
    assertThat(told.has("slowest")).isFalse();
  }

  @Test
  void whatGoesByWhileTrainingCostsNoTime() throws IOException {
    JsonNode told =
        json(
            round(1, 1, 1000, member(0, 1, 90, 5, 40, 30, 5, 100)),
            round(1, 2, 1100, member(0, 2, 90, 5, 40, 30, 5, 100)),
            // Lacks examples: it could have waited, but didn't.
            round(1, 3, 1300, member(0, 3, 90, 5, 40, 30, 5, 200)));

    assertThat(told.at("/shares/wait").asDouble()).isZero();
    assertThat(told.at("/shares/fit").asDouble()).isEqualTo(0.675, ROUNDING);
    assertThat(told.at("/shares/other").asDouble()).isEqualTo(0.25, ROUNDING);
    assertThat(told.at("/meanwhile/wait").asDouble()).isEqualTo(0.3, ROUNDING);
    assertThat(told.at("/meanwhile/exchange").asDouble()).isEqualTo(0.225, ROUNDING);
  }

  @Test
  void theScheduleMayChangeWithARestart() throws IOException {
    JsonNode told =
        json(
            round(1, 7, 1000, member(0, 7, 50, 0, 30, 20, 0, 100)),
            round(2, 8, 9000, member(0, 8, 100, 0, 30, 20, 0, 100)));

    assertThat(told.at("/shares/wait").asDouble()).isEqualTo(0.15, ROUNDING);
    assertThat(told.at("/meanwhile/wait").asDouble()).isEqualTo(0.15, ROUNDING);
    assertThat(told.has("roundDuration")).as("a restart is no round").isFalse();
  }

  @Test
  void distributionsAreOverAllReplicasAndRounds() throws IOException {
    String[] rounds = new String[100];
    long time = 0;
    for (int i = 1; i <= 100; i++) {
      time += i;
      rounds[i - 1] = round(1, i, time, member(0, i, 3 * i, 0, i == 1 ? 0 : i, 0, 0, 1000));
    }
    JsonNode told = json(rounds);

    assertThat(told.at("/fitPerStep/count").asInt()).isEqualTo(100);
    assertThat(told.at("/fitPerStep/median").asDouble()).isEqualTo(50);
    assertThat(told.at("/fitPerStep/p90").asDouble()).isEqualTo(90);
    assertThat(told.at("/fitPerStep/p99").asDouble()).isEqualTo(99);
    assertThat(told.at("/fitPerStep/max").asDouble()).isEqualTo(100);
    assertThat(told.at("/roundLatency/count").asInt()).as("none was awaited first").isEqualTo(99);
    assertThat(told.at("/roundDuration/median").asDouble()).isEqualTo(51);
    assertThat(told.path("roundsPerSecond").asDouble()).isEqualTo(99 / 5.049, ROUNDING);
  }

  @Test
  void otherRecordsAreSkippedAndACutLineIsNoted() throws IOException {
    String whole = round(1, 1, 1000, member(0, 1, 95, 1, 0, 3, 1, 100));
    TimelineReport report =
        read(
            "{\"type\":\"progress\",\"time\":1,\"generation\":1,\"round\":1}",
            "",
            whole,
            "{\"type\":\"later\"}",
            whole.substring(0, 60));

    assertThat(new JsonMapper().readTree(report.toJson()).path("rounds").asInt()).isEqualTo(1);
    assertThat(report.note()).contains("line 5 is no whole record and left out.");
    // The next run has written on behind the cut.
    assertThat(read(whole, whole.substring(0, 60) + whole, whole, "17").note())
        .contains("2 lines are no whole records and left out, the first of them line 2.");
  }

  @Test
  void aFileWithoutTimelinesSaysWhatToSet() {
    assertThatThrownBy(() -> read("{\"type\":\"snapshot\"}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("metrics.jsonl has no timeline records")
        .hasMessageContaining("metrics.timeline: true");
    assertThatThrownBy(() -> read("no json"))
        .hasMessageContaining("metrics.timeline: true")
        .hasMessageContaining("line 1 is no whole record");
    assertThatThrownBy(() -> TimelineReport.read(directory.resolve("absent"), 1))
        .hasMessageContaining("absent: there is no such file");
    assertThatThrownBy(() -> TimelineReport.read(directory, 1))
        .hasMessageContaining("is a directory");
  }

  private JsonNode json(String... lines) throws IOException {
    return new JsonMapper().readTree(read(lines).toJson());
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
