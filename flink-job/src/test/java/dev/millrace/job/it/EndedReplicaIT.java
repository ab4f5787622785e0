package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints complete while some replicas have ended, whatever replicas keep in them. */
class EndedReplicaIT {

  private static final int LONG = 1_600;
  private static final int SHORT = 40;

  /** Faults are copied, and these aren't. */
  private static final AtomicBoolean FAILS = new AtomicBoolean();

  private static final AtomicBoolean SLOW = new AtomicBoolean(true);

  @TempDir Path directory;

  private final Blobs blobs = new Blobs(7);

  @Test
  void checkpointsCompleteAfterReplicasHaveEnded() throws Exception {
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, Blobs.encode(blobs.next(LONG)));
    Broker.produce(topic, 1, Blobs.encode(blobs.next(SHORT)));
    Job job =
        new Job(topic, directory)
            .parallelism(3)
            .set("replay.size", "100")
            .set("input.label-lags", "2")
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "200")
            .set("forgetting.importance", "fisher")
            .faults(
                (place, index) -> {
                  if (place == Place.LOCAL_STEP) {
                    if (SLOW.get()) {
                      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                    }
                    if (FAILS.compareAndSet(true, false)) {
                      throw new IllegalStateException("A fault after a replica has ended");
                    }
                  }
                });

    JobClient client = job.start();
    // A replica has nothing to read, another one little: both end long before this.
    job.await(() -> job.taken() >= LONG / 4);
    long before = newestCheckpoint();
    job.await(() -> newestCheckpoint() > before + 1 || job.taken() >= LONG);
    assertThat(job.taken()).as("examples when a checkpoint completes").isLessThan(LONG);
    FAILS.set(true);
    SLOW.set(false);
    client.getJobExecutionResult().get();

    assertThat(FAILS).as("the fault has been").isFalse();
    assertThat(job.description().version().generation()).as("restarts").isPositive();
    job.assertTookAll(topic, LONG, SHORT);
  }

  private long newestCheckpoint() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("checkpoints"))) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(file -> file.getParent().getFileName().toString())
          .mapToLong(name -> Long.parseLong(name.substring("chk-".length())))
          .max()
          .orElse(0);
    } catch (UncheckedIOException e) {
      // One has been deleted meanwhile.
      return 0;
    }
  }
}
