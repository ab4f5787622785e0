package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.exchange.round.ContributionFacts;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.job.train.publish.MetricRecords;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineCommandTest {

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir Path directory;

  private Path metrics;

  @BeforeEach
  void writeAsAJobDoes() throws IOException {
    metrics = directory.resolve("metrics.jsonl");
    Files.writeString(metrics, record(1, 1_000) + "\n" + record(2, 1_100) + "\n");
  }

  @Test
  void theTraceIsBesideTheMetrics() throws IOException {
    assertThat(execute("timeline", metrics)).isZero();

    assertThat(out.toString())
        .contains("Rounds:      2 of 1 replicas, 1.1 to 1.2: 10.00/s")
        .contains("local fit 80.0 %")
        .contains("Trace:       " + directory.resolve("timeline.json"));
    assertThat(directory.resolve("timeline.json")).content().contains("round 1.1", "round 1.2");
    assertThat(files()).containsExactlyInAnyOrder("metrics.jsonl", "timeline.json");
  }

  @Test
  void theTraceGoesWhereItIsAskedFor() throws IOException {
    Path trace = directory.resolve("trace.json");

    assertThat(execute("timeline", metrics, "--to", trace, "--last", 1)).isZero();

    assertThat(trace).content().contains("round 1.2").doesNotContain("round 1.1");
    assertThat(files()).containsExactlyInAnyOrder("metrics.jsonl", "trace.json");
  }

  @Test
  void figuresArePrintedForPrograms() throws IOException {
    Files.writeString(metrics, "{\"cut", StandardOpenOption.APPEND);

    assertThat(execute("timeline", metrics, "--json")).isZero();

    assertThat(new JsonMapper().readTree(out.toString()).at("/shares/fit").asDouble())
        .isEqualTo(0.8);
    assertThat(err.toString()).contains("Note: line 3 is no whole record");
  }

  @Test
  void whatFailsIsNamedAndNothingIsWritten() throws IOException {
    Path old = Files.writeString(directory.resolve("timeline.json"), "old");
    Path none = Files.writeString(directory.resolve("none.jsonl"), "{\"type\":\"progress\"}\n");

    assertThat(execute("timeline", none)).isEqualTo(1);
    assertThat(err.toString()).contains(none.toString(), "metrics.timeline: true");
    assertThat(execute("timeline", directory.resolve("absent"))).isEqualTo(1);
    assertThat(err.toString()).contains("there is no such file").doesNotContain("\tat ");
    assertThat(execute("timeline", metrics, "--to", directory)).isEqualTo(1);
    assertThat(execute("timeline", metrics, "--to", directory.resolve("no/trace.json")))
        .isEqualTo(1);
    assertThat(execute("timeline", metrics, "--to", metrics)).isEqualTo(2);
    assertThat(execute("timeline", metrics, "--last", 0)).isEqualTo(2);
    assertThat(execute("timeline")).isEqualTo(2);

    assertThat(old).hasContent("old");
    assertThat(files()).containsExactlyInAnyOrder("metrics.jsonl", "none.jsonl", "timeline.json");
  }

  private static String record(long round, long time) {
    Phases phases = new Phases(4, 80_000_000, 2_000_000, 3_000_000, 15_000_000, 100_000_000);
    return MetricRecords.timeline(
        new RoundTimeline(
            new ModelVersion(1, round),
            time,
            List.of(new RoundTimeline.Part(0, round, phases, 0, ContributionFacts.NONE))));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private int execute(Object... arguments) {
    return run.execute(arguments);
  }
}
