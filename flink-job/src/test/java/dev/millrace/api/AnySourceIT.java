package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.SeededFaults;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every record of a source that knows nothing of Millrace, or of places of records, is in the model
 * exactly once, with failures at all places.
 */
class AnySourceIT {

  private static final int RECORDS = 6_000;
  private static final int FAULTS = 7;

  @TempDir Path directory;

  @Test
  void everyRecordIsInTheModelOnce() throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, 12);
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(2);

    Millrace.train(
        environment,
        new NumberSequenceSource(0, RECORDS - 1),
        ApiJob::map,
        ApiJob.options(models, "overlap").build(),
        faults);
    environment.execute();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    requireAllOnce(ApiJob.description(models), seed);
  }

  private static void requireAllOnce(SnapshotDescription model, long seed) {
    long taken = 0;
    long rejected = 0;
    for (PartitionProgress entry : model.ledger()) {
      long count = entry.learned().count() + entry.rejected().count();
      assertThat(entry.learned().sum() + entry.rejected().sum())
          .as("numbers of the records of %s, seed %d", entry.topic(), seed)
          .isEqualTo(count * (count - 1) / 2);
      assertThat(Math.max(entry.learned().last(), entry.rejected().last()))
          .as("last record of %s, seed %d", entry.topic(), seed)
          .isEqualTo(count - 1);
      taken += count;
      rejected += entry.rejected().count();
    }
    assertThat(taken).as("records taken, seed %d", seed).isEqualTo(RECORDS);
    assertThat(rejected)
        .as("records rejected, seed %d", seed)
        .isEqualTo(ApiJob.rejectedOf(RECORDS));
    assertThat(model.prequential().examples())
        .as("examples learned, seed %d", seed)
        .isEqualTo(taken - rejected);
  }
}
