package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training that ends before its input does: here the input never ends. */
@Tag("slow")
@Timeout(300)
class EarlyStopIT {

  private static final int PER_PARTITION = 8_000;

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(2);
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "overlap"})
  void endsWhenEnoughExamplesAreLearned(String schedule) throws Exception {
    Job job = job().set("exchange.schedule", schedule).set("stop.examples", "1000").run();

    long learned = 0;
    List<PartitionProgress> ledger = job.description().ledger();
    for (PartitionProgress partition : ledger) {
      PartitionProgress.Offsets offsets = partition.learned();
      assertThat(offsets.first()).isZero();
      assertThat(offsets.last()).isEqualTo(offsets.count() - 1);
      learned += offsets.count();
    }
    assertThat(learned).isBetween(1_000L, 2L * PER_PARTITION - 1);
  }

  @Test
  void endsWhenItsTimeIsUpThoughNothingComes() throws Exception {
    Job job = job().set("stop.after", "1 s").set("input.start", "latest");

    job.run();

    assertThat(job.description().ledger()).isEmpty();
  }

  @Test
  void endsWhenTheLossFallsNoMore() throws Exception {
    Job job =
        job()
            .set("stop.examples-without-improvement", "2000")
            .set("stop.min-improvement", "0.5")
            .set("evaluation.window", "500")
            .run();

    assertThat(job.description().prequential().examples())
        .isBetween(2_000L, 2L * PER_PARTITION - 1);
  }

  private Job job() {
    return new Job(topic, directory).set("input.bounded", "false").set("batch.max-wait", "200 ms");
  }
}
