package dev.millrace.api;

import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** What programs of tests have in common. */
final class ApiJob {

  private ApiJob() {}

  /** An environment that the program has prepared as the protocol needs it, and no further. */
  static StreamExecutionEnvironment environment(int parallelism) throws Exception {
    return TestEnvironment.local(parallelism, "hashmap", null);
  }

  /** As {@link dev.millrace.job.testing.Job} has them. */
  static TrainingOptions.Builder options(Path models, String schedule) {
    return TrainingOptions.builder()
        .model(Model.mlp(Blobs.SHAPE.features(), Blobs.SHAPE.outputs()).hidden(16))
        .batchSize(8)
        .publishTo(models.toString(), Duration.ZERO)
        .option("batch.local-size", "8")
        .option("exchange.learning-rate-scaling", "none")
        .option("batch.max-wait", "1 h")
        .option("exchange.round-timeout", "1 h")
        .option("exchange.block-size", "1 kb")
        .option("exchange.schedule", schedule)
        .option("metrics.interval", "50 ms");
  }

  /** An example for each number; each 13th is none. */
  static void map(Long number, ExampleWriter to) {
    if (number % 13 == 5) {
      throw new IllegalStateException("no example");
    }
    Example blob = new Blobs(number).next();
    to.features(blob.features()).labels(blob.labels()).id("n" + number);
  }

  static int rejectedOf(int records) {
    return (records - 5 + 12) / 13;
  }

  static SnapshotDescription description(Path models) throws IOException {
    return latest(models).description();
  }

  static float[] vector(Path models) throws IOException {
    LatestSnapshot latest = latest(models);
    ArchivedModel model =
        ModelEngine.named(latest.description().engine()).readArchive(latest.archive());
    return model.vector();
  }

  private static LatestSnapshot latest(Path models) throws IOException {
    return LatestSnapshot.find(models).orElseThrow();
  }
}
