package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.MemberReport;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A population learns each record once, whatever fails, and goes on at another parallelism. */
class PopulationIT {

  private static final int PARTITIONS = 3;
  private static final int PER_PARTITION = 1_000;
  private static final int FAULTS = 5;
  private static final int MEAN_STEPS = 12;

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
  }

  @Test
  void failuresChangeNoBitOfMembersNorOfTheirWeights() throws Exception {
    Job undisturbed = job("undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = job("disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    ArchivedModel model = disturbed.trained();
    assertThat(model.vector()).as("seed %d", seed).isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().engine()).isEqualTo(PopulationEngine.NAME);
    assertThat(Population.fromJson(model.configuration()).members()).hasSize(3);
    int shift = model.parameters() - 1;
    float[] losses = Arrays.copyOfRange(model.vector(), shift - 3, shift);
    assertThat(losses[1]).as("the fastest of %s", Arrays.toString(losses)).isLessThan(losses[2]);
    for (float loss : losses) {
      assertThat(loss).isBetween(0f, 2f);
    }
    assertThat(model.vector()[shift]).as("rates follow the fastest").isPositive();
    List<MemberReport> told = disturbed.description().population();
    assertThat(told).extracting(MemberReport::loss).startsWith((double) losses[0]);
    assertThat(told.get(1).learningRate()).isGreaterThan(0.03);
  }

  @Test
  void goesOnWithMoreReplicasAndWithFewer() throws Exception {
    Job job = job("rescaled").set("input.bounded", "false").set("batch.max-wait", "50 ms");

    String atTwo = runPartly(job.parallelism(2), 200);
    String atThree = runPartly(job.parallelism(3).from(atTwo), job.taken() + 200);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == (long) PARTITIONS * PER_PARTITION);
    job.stop(client, true);

    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
  }

  private String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.faults(SlowSteps.slowerAfter(25)).start();
    job.await(() -> job.taken() >= atLeast);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).isLessThan((long) PARTITIONS * PER_PARTITION);
    return savepoint;
  }

  private Job job(String name) {
    return new Job(topic, directory.resolve(name))
        .parallelism(PARTITIONS)
        .set("model.population.learning-rates", "0.001;0.03;0.00001")
        .set("model.population.follow", "0.001");
  }
}
