package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.progress.MetricsLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatestModelTest {

  private static final String POINTER =
      """
      {"version": "1.16", "archive": "model-1.16.zip", "description": "model-1.16.json"}
      """;
  private static final String DESCRIPTION =
      """
      {"format": 1, "engine": "dl4j", "version": {"generation": 1, "round": 16}, "created": "%s", "ledger": [],
       "configuration": {}, "prequential": {"examples": 3000},
       "holdOut": {"examples": 100, "accuracy": 0.75, "loss": 0.5}}
      """;

  @TempDir Path directory;

  private final RunHistory history = new RunHistory();
  private final Instant start = Instant.parse("2026-11-21T07:00:00Z");

  @Test
  void tellsWhatTheMetricsNoLongerCould() throws IOException {
    describe(start.plus(Duration.ofMinutes(1)));

    LatestModel.addTo(history, directory, start);

    assertThat(history.latestSnapshot())
        .hasValue(new MetricsLine.Snapshot(1, 16, directory.resolve("model-1.16.zip").toString()));
    assertThat(history.latestHoldOut())
        .hasValueSatisfying(
            holdOut -> {
              assertThat(holdOut.learned()).isEqualTo(3000);
              assertThat(holdOut.accuracy()).isEqualTo(0.75);
            });
    assertThat(history.latest())
        .hasValueSatisfying(
            last -> {
              assertThat(last.version()).isEqualTo("1.16");
              assertThat(last.examples()).isEqualTo(3000);
            });
  }

  @Test
  void modelsOfEarlierRunsDoNotCount() throws IOException {
    describe(start.minus(Duration.ofMinutes(1)));

    LatestModel.addTo(history, directory, start);

    assertThat(history.latestSnapshot()).isEmpty();
  }

  @Test
  void aRunMayHavePublishedNone() throws IOException {
    LatestModel.addTo(history, directory.resolve("absent"), start);

    assertThat(history.latestSnapshot()).isEmpty();
  }

  private void describe(Instant written) throws IOException {
    Files.writeString(directory.resolve("latest.json"), POINTER);
    Files.writeString(directory.resolve("model-1.16.json"), DESCRIPTION.formatted(written));
  }
}
