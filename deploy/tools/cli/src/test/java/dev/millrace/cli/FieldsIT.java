package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.testing.NetworkFlows;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a CSV file to a topic to a model, with the description that {@code describe} proposes. */
@Tag("slow")
class FieldsIT {

  private static final String BROKER = Broker.cluster().bootstrapServers();

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"csv, true", "csv, false", "json, true"})
  void aTableWithWordsIsLearnedAsItIsDescribed(String format, boolean header) throws Exception {
    assertThat(learned(8_000, format, header)).isGreaterThan(0.6);
  }

  @Test
  @Tag("nightly")
  void halfAMillionFlowsAreLearned() throws Exception {
    assertThat(learned(500_000, "csv", true)).isGreaterThan(0.9);
  }

  /** The share of the last examples whose classes were predicted before they were learned. */
  private double learned(int rows, String format, boolean header) throws Exception {
    String topic = Broker.topic(2);
    Path table = directory.resolve("flows.csv");
    Path config = directory.resolve("train.yaml");
    new NetworkFlows(7).write(table, rows, header);
    run(
        "describe",
        "--data",
        table,
        "--output",
        config,
        "--format",
        format,
        "--kafka.bootstrap.servers",
        BROKER,
        "--input.topics",
        topic);
    run("produce", "--data", "csv:" + table, "--config", config);
    Job job = new Job(topic, directory);
    List.of("input.features", "input.outputs", "input.format", "model.hidden").forEach(job::unset);
    Map<String, String> options = OptionReader.read(List.of("--config", config.toString())).toMap();
    options.forEach(job::set);

    job.set("evaluation.window", "2000").run();

    assertThat(job.taken()).isEqualTo(rows);
    assertThat(job.description().ledger())
        .allSatisfy(partition -> assertThat(partition.rejected().count()).isZero());
    return job.description().prequential().accuracy();
  }

  private static void run(Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.err.toString()).isZero();
  }
}
