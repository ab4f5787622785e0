package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint goes on only with what it was made with. */
class CheckpointCompatIT {

  @TempDir Path directory;

  @Test
  void anotherBlockSizeIsRefusedByName() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(800)));
    Job job = new Job(topic, directory).parallelism(1).set("input.bounded", "false");
    JobClient client = job.start();
    await().atMost(Duration.ofMinutes(1)).until(() -> job.taken() > 0);
    String savepoint = job.stop(client, false);

    job.from(savepoint).restarts(0).set("exchange.block-size", "2 kb");

    assertThatThrownBy(job::run).rootCause().hasMessageContaining("exchange.block-size");
  }
}
