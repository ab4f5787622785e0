package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the model that take turns: a job whose tasks fail ends as an undisturbed one. */
@Tag("slow")
class FragmentsExactlyOnceIT {

  private static final int REPLICAS = 2;
  private static final int PER_PARTITION = 2_500;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 24;

  @TempDir Path directory;

  @Test
  void endsAsAnUndisturbedRunWould() throws Exception {
    endsAsAnUndisturbedRunWould(TestEngine.DL4J);
  }

  @Tag("nightly")
  @Test
  void soItDoesWithTorch() throws Exception {
    endsAsAnUndisturbedRunWould(TestEngine.TORCH);
  }

  private void endsAsAnUndisturbedRunWould(TestEngine engine) throws Exception {
    String topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
    Job undisturbed = job(engine, topic, "undisturbed").run();

    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job disturbed = job(engine, topic, "disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    assertThat(disturbed.trained().vector())
        .as("seed %d", seed)
        .isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().version().round())
        .as("a round is of a fragment")
        .isEqualTo(undisturbed.description().version().round())
        .isGreaterThan(PER_PARTITION / 8 / 4 * 3);
  }

  /** Thirteen blocks in four fragments; a round every step, and a fragment every fourth. */
  private Job job(TestEngine engine, String topic, String name) {
    return new Job(topic, directory.resolve(name))
        .engine(engine)
        .parallelism(REPLICAS)
        .set("model.hidden", "256")
        .set("exchange.preset", "low-communication")
        .set("exchange.local-steps", "4")
        .set("exchange.fragments", "4");
  }
}
