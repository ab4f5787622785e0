package dev.millrace.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatestModelTest {

  private static final String DESCRIPTION =
      """
      {"format": 1, "archive": "model-1.16.zip", "generation": 1, "round": 16,
       "created": "2026-11-21T07:46:13.452Z", "prequential": {"examples": 3000},
       "hold_out": {"examples": 100, "accuracy": 0.75, "loss": 0.5}}
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
    Path file = Files.writeString(directory.resolve("latest.json"), DESCRIPTION);
    Files.setLastModifiedTime(file, FileTime.from(written));
  }
}
