package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.models.Json;
import dev.millrace.cli.progress.MetricsLine;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SummaryTest {

  @Test
  void holdsTheFiguresOfTheRun() throws IOException {
    RunHistory history = new RunHistory();
    history.add(progress(1000, 500, 5));
    history.add(new MetricsLine.HoldOut(9000, 1, 90, 8500, 100, 0.8, 0.5, 0.86, null, null));
    history.add(new MetricsLine.Snapshot(1, 95, "/models/1.95.zip"));
    history.add(progress(9000, 8500, 95));

    JsonNode written = written(history);

    assertThat(written.toString())
        .isEqualTo(
            "{\"examples\":8500,\"seconds\":8.0,\"examples_per_second\":1000.0,"
                + "\"prequential_accuracy\":0.7,\"prequential_auc\":0.81,\"holdout_accuracy\":0.8,\"rounds\":95,"
                + "\"version\":\"1.95\",\"model\":\"/models/1.95.zip\","
                + "\"rejected\":0,\"refused_contributions\":0,\"refused_records\":0,"
                + "\"last_refusal\":null}");
  }

  @Test
  void aRunThatMeasuredNothingHasZeros() throws IOException {
    JsonNode written = written(new RunHistory());

    assertThat(written.get("examples").asLong()).isZero();
    assertThat(written.get("holdout_accuracy").isNull()).isTrue();
    assertThat(written.get("model").isNull()).isTrue();
  }

  private JsonNode written(RunHistory history) throws IOException {
    return new ObjectMapper().readTree(Json.write(Summary.of(history)));
  }

  private static MetricsLine.Progress progress(long millis, long examples, long round) {
    return new MetricsLine.Progress(
        millis, 1, round, examples, 0, null, 0.7, 0.9, 0.75, 0.6, 0.81, 0.85, null, null);
  }
}
