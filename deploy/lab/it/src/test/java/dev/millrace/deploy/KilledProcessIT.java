package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Processes that die at once, as when a machine fails, with the configuration that is shipped. It
 * is the first test of the shared cluster: Flink 2.3 keeps the result of a job that couldn't be
 * initialized as one to clean up, and a JobManager that takes over later ends itself over it.
 */
@Order(1)
@ExtendWith(SharedCluster.class)
class KilledProcessIT {

  private static final double EXAMPLES_A_SECOND = 300;
  private static final Duration LIMIT = Duration.ofMinutes(4);

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
                KafkaCluster.at(topic.bootstrapServers()), topic.name(), EXAMPLES_A_SECOND);
        RunPage page = new RunPage(run.metrics(), cluster.directory().resolve("browser"))) {
      String job = run.submit(2);
      run.awaitExamples(300);
      long shown = page.awaitMoreExamples(0);

      JobProcesses.taskManagerOf(cluster, job).kill();
      awaitRestore(cluster, run, 0);
      run.awaitExamples(run.examples() + 300);
      page.awaitRestarts(1);
      shown = page.awaitMoreExamples(shown);
      long generation = run.generation();
      cluster.cluster().leader().kill();
      awaitRestore(cluster, run, generation);

      page.awaitRestarts(2);
      page.awaitMoreExamples(shown);
      page.requireNoErrors();
      long count = examples.end();
      run.awaitExamples(count);
      // Which publishes the last model.
      run.stop(job);
      run.awaitWhole(count);
      run.requireVersionsGrew();
      assertThat(run.generation()).isGreaterThanOrEqualTo(2);
    }
  }

  /** Starts what has died until the job is restored, as whoever runs a cluster does. */
  private static void awaitRestore(TestCluster cluster, TrainingRun run, long generation) {
    await()
        .pollInSameThread()
        .atMost(LIMIT)
        .until(
            () -> {
              cluster.cluster().startMissing();
              return run.generation() > generation;
            });
  }
}
