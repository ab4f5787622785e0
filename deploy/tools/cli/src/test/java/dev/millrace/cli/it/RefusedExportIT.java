package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.models.ModelExport;
import dev.millrace.exchange.savepoint.SavepointException;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Savepoints that no model can be exported of. */
class RefusedExportIT {

  @TempDir Path directory;

  @Test
  void aSavepointThatIsNotWholeIsRefusedAndNothingIsWritten() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(800)));
    Job job =
        new Job(topic, directory)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("exchange.local-steps", "1")
            .flink("execution.checkpointing.data-inline-threshold", "0b");
    Path savepoint = Path.of(URI.create(ExportIT.stopAt(job, topic, 800)));
    Path moved = Files.move(savepoint, directory.resolve("moved"));
    Path archive = directory.resolve("exported.zip");
    ModelExport.run(moved.toString(), archive, false, (blocks, all, bytes) -> {});
    Files.delete(archive);

    int needed = 0;
    for (Path file : dataFiles(moved)) {
      byte[] whole = Files.readAllBytes(file);
      Files.delete(file);
      Optional<String> missing = refusal(moved, archive);
      Files.write(file, Arrays.copyOf(whole, whole.length / 2));
      Optional<String> truncated = refusal(moved, archive);
      Files.write(file, whole);

      assertThat(missing.isPresent()).isEqualTo(truncated.isPresent());
      missing.ifPresent(told -> assertThat(told).contains(moved.toString(), file.toString()));
      truncated.ifPresent(told -> assertThat(told).contains(moved.toString(), "ends early"));
      needed += missing.isPresent() ? 1 : 0;
    }
    assertThat(needed).as("files of coordinator and exchange").isGreaterThanOrEqualTo(2);
  }

  @Test
  void aSavepointOfAnotherJobIsRefusedAndNamed() throws Exception {
    StreamExecutionEnvironment environment = TestEnvironment.local(1, "hashmap", null);
    environment.fromSequence(0, Long.MAX_VALUE).uid("numbers").sinkTo(new DiscardingSink<>());
    JobClient client = environment.executeAsync();
    String others = directory.resolve("others").toString();
    String savepoint =
        await()
            .atMost(Job.LIMIT)
            // Until its tasks run.
            .ignoreExceptions()
            .until(
                () -> client.triggerSavepoint(others, SavepointFormatType.CANONICAL).get(),
                Objects::nonNull);
    client.cancel().get(1, TimeUnit.MINUTES);
    Path archive = directory.resolve("exported.zip");

    assertThatThrownBy(() -> ModelExport.run(savepoint, archive, false, (blocks, all, bytes) -> {}))
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll(savepoint, "no model of Millrace", "numbers");

    assertThat(files(directory)).noneMatch(name -> name.contains("exported"));
  }

  /** What is said where the model can't be exported, and leaves nothing behind. */
  private Optional<String> refusal(Path savepoint, Path archive) throws IOException {
    try {
      ModelExport.run(savepoint.toString(), archive, false, (blocks, all, bytes) -> {});
      Files.delete(archive);
      return Optional.empty();
    } catch (SavepointException e) {
      assertThat(files(archive.getParent())).noneMatch(name -> name.contains("exported"));
      return Optional.of(e.getMessage());
    }
  }

  private static List<Path> dataFiles(Path savepoint) throws IOException {
    try (Stream<Path> files = Files.list(savepoint)) {
      return files.filter(file -> !file.endsWith("_metadata")).toList();
    }
  }

  private static List<String> files(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
