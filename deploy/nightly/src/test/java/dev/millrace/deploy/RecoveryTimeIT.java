package dev.millrace.deploy;

import dev.millrace.file.DataSpec;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How long training stops when a process dies, with the configuration that is shipped. */
class RecoveryTimeIT {

  private static final DataSpec DIGITS = new DataSpec.Digits(6_000, 2);

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start("recovery", 3, true);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void aKilledTaskManagerCostsSecondsAndNoRecord() throws Exception {
    TrainingRun run = run("taskmanager");
    String job = run.submit(2);
    run.awaitExamples(1_000);

    long before = run.generation();
    long killed = System.currentTimeMillis();
    JobProcesses.taskManagerOf(cluster, job).kill();
    Duration down = run.awaitGenerationAfter(before, killed);

    Figures.requireWithin(Duration.ofSeconds(10), down, "after a TaskManager was killed");
    run.awaitWhole();
    run.awaitEnd(job);
    run.requireVersionsGrew();
    cluster.cluster().startMissing();
  }

  @Test
  void aKilledJobManagerCostsSecondsAndNoRecord() throws Exception {
    TrainingRun run = run("jobmanager");
    String job = run.submit(2);
    run.awaitExamples(1_000);

    long before = run.generation();
    long killed = System.currentTimeMillis();
    cluster.cluster().leader().kill();
    Duration down = run.awaitGenerationAfter(before, killed);

    Figures.requireWithin(Duration.ofSeconds(20), down, "after the JobManager was killed");
    run.awaitWhole();
    run.awaitEnd(job);
    run.requireVersionsGrew();
    cluster.cluster().startMissing();
  }

  private static TrainingRun run(String name) throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), name, 2, DIGITS);
    return new TrainingRun(cluster.flink(), topic, cluster.directory().resolve(name), Map.of());
  }
}
