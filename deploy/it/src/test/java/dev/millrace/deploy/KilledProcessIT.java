package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.KafkaCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Processes that die at once, as when a machine fails, with the configuration that is shipped. */
@ExtendWith(SharedCluster.class)
class KilledProcessIT {

  private static final double EXAMPLES_A_SECOND = 300;

  @Test
  void aKilledTaskManagerAndAKilledJobManagerCostNoRecord(TestCluster cluster) throws Exception {
    Topic topic = Topic.empty(cluster.bootstrapServers(), "killed", 2);
    TrainingRun run =
        new TrainingRun(
            cluster.flink(),
            topic,
            cluster.directory().resolve("killed"),
            Map.of(
                "input.bounded", "false",
                "model.name", "linear",
                "batch.max-wait", "100 ms",
                "snapshot.interval", "1 s"));
    // There is always something on its way when a process dies.
    try (SteadyProducer examples =
        SteadyProducer.start(
            KafkaCluster.at(topic.bootstrapServers()), topic.name(), EXAMPLES_A_SECOND)) {
      String job = run.submit(2);
      run.awaitExamples(300);

      JobProcesses.taskManagerOf(cluster, job).kill();
      run.awaitGenerationAfter(0, 0);
      run.awaitExamples(run.examples() + 300);
      long generation = run.generation();
      cluster.cluster().leader().kill();
      run.awaitGenerationAfter(generation, 0);

      long count = examples.end();
      run.awaitExamples(count);
      // Which publishes the last model.
      run.stop(job);
      run.awaitWhole(count);
      run.requireVersionsGrew();
      assertThat(run.generation()).isGreaterThanOrEqualTo(2);
    } finally {
      cluster.cluster().startMissing();
      cluster.cluster().awaitTaskManagers(3);
    }
  }
}
