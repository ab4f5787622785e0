package dev.millrace.benchmark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingRecordsTest {

  @TempDir Path directory;

  /** It starts slowly, and ends slowly: neither counts. */
  @Test
  void measuresTheMiddle() throws Exception {
    StringBuilder lines = new StringBuilder();
    long time = 0;
    for (int examples = 0; examples <= 1000; examples += 10) {
      lines.append(
          """
          {"type":"progress","time":%s,"examples":%s,"round":%s}
          """
              .formatted(time, examples, examples / 5));
      time += examples < 500 || examples >= 950 ? 1000 : 100;
    }
    lines.append("{\"type\":\"holdout\",\"time\":7}\n");

    TrainingRecords records = TrainingRecords.read(write(lines.toString()));

    assertThat(records.examplesPerSecond()).isCloseTo(100, within(1e-9));
    assertThat(records.roundsPerSecond()).isCloseTo(20, within(1e-9));
    assertThat(records.of("holdout")).hasSize(1);
  }

  @Test
  void refusesWhatIsTooShort() throws Exception {
    TrainingRecords records =
        TrainingRecords.read(
            write("{\"type\":\"progress\",\"time\":1,\"examples\":1,\"round\":1}\n"));

    assertThatThrownBy(records::examplesPerSecond)
        .isInstanceOf(BenchmarkFailure.class)
        .hasMessageContaining("too short");
  }

  @Test
  void refusesWhatIsNoJson() throws Exception {
    Path file = write("{\"type\":\n");

    assertThatThrownBy(() -> TrainingRecords.read(file))
        .isInstanceOf(BenchmarkFailure.class)
        .hasMessageContaining("no JSON");
  }

  private Path write(String lines) throws Exception {
    return Files.writeString(directory.resolve("metrics.jsonl"), lines);
  }
}
