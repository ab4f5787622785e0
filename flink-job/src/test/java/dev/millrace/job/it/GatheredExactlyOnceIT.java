package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contributions that are combined in their process, which here is one for all replicas: every
 * record is in the model exactly once, whatever fails, and at any parallelism.
 */
@Tag("slow")
class GatheredExactlyOnceIT {

  private static final int REPLICAS = 3;
  private static final int PER_PARTITION = 3_000;
  private static final int FAULTS = 8;
  private static final int MEAN_STEPS = 24;

  /** So slow that a job can be stopped before it has taken all. */
  @TempDir Path directory;

  /** Where all replicas share a process, it is also the model that isn't combined in two steps. */
  @EachEngine
  void syncEndsAsAnUndisturbedRunWithoutGatheringWould(TestEngine engine) throws Exception {
    boolean direct = engine == TestEngine.DL4J;
    String topic = produce();
    Job undisturbed = job(topic, "undisturbed", "off").engine(engine).run();

    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS, SeededFaults.GATHERED);
    Job disturbed =
        job(topic, "disturbed", "process").engine(engine).handsOver(direct).faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, counts());
    assertThat(disturbed.trained().vector())
        .as("seed %d", seed)
        .isEqualTo(undisturbed.trained().vector());
  }

  /** Turned on by the way, and never off. */
  @Test
  void everyRecordIsTakenOnceWhateverTheNumberOfReplicas() throws Exception {
    String topic = produce();
    Job job =
        job(topic, "rescaled", "off")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("exchange.schedule", "overlap");

    String off = runPartly(job.parallelism(2), 600);
    String atThree = runPartly(job.set("exchange.combine", "process").parallelism(3).from(off), 0);
    String atTwo = runPartly(job.parallelism(2).from(atThree), 0);
    assertThatThrownBy(() -> job.set("exchange.combine", "off").from(atTwo).start())
        .hasMessageContaining("exchange.combine 'process'");
    job.set("exchange.combine", "process");
    JobClient client = job.parallelism(1).from(atTwo).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == (long) REPLICAS * PER_PARTITION);
    job.stop(client, true);

    job.assertTookAll(topic, counts());
  }

  /** Stops the job while there is more to take. */
  private static String runPartly(Job job, long least) throws Exception {
    long before = least == 0 ? job.taken() : 0;
    JobClient client = job.faults(SlowSteps.slowerAfter(60)).start();
    job.await(() -> job.taken() >= Math.max(least, before + 300));
    return job.stop(client, false);
  }

  private Job job(String topic, String name, String combine) {
    return new Job(topic, directory.resolve(name))
        .parallelism(REPLICAS)
        .set("exchange.schedule", "sync")
        .set("exchange.combine", combine);
  }

  private static String produce() throws Exception {
    String topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
    return topic;
  }

  private static long[] counts() {
    long[] counts = new long[REPLICAS];
    Arrays.fill(counts, PER_PARTITION);
    return counts;
  }
}
