package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.digits.Digits;
import dev.millrace.file.DataSpec;
import dev.millrace.local.cluster.ManagedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How long training stops when a process dies, with the configuration that is shipped. */
class RecoveryTimeIT {

  private static final DataSpec DIGITS = new Digits(40_000, 2);
  private static final int KILLS = 5;

  /** Processor time in a second of a process that has nothing to do. */
  private static final Duration RESTING = Duration.ofMillis(100);

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
    RecoveryPhases median =
        median("a TaskManager", job -> JobProcesses.taskManagerOf(cluster, job));

    assertThat(median.all()).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void aKilledJobManagerCostsSecondsAndNoRecord() throws Exception {
    RecoveryPhases median = median("the JobManager", job -> cluster.cluster().leader());

    assertThat(median.all()).isLessThan(Duration.ofSeconds(15));
  }

  /**
   * A process that has just begun is still busy with itself, and what is measured next would be
   * that.
   */
  private static void awaitRest(ManagedProcess started) {
    ProcessHandle process = ProcessHandle.of(started.pid()).orElseThrow();
    AtomicReference<Duration> before = new AtomicReference<>(Duration.ZERO);
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              Duration used = process.info().totalCpuDuration().orElseThrow();
              return used.minus(before.getAndSet(used)).compareTo(RESTING) < 0;
            });
  }

  private interface Victim {
    ManagedProcess of(String job) throws Exception;
  }

  /** Of one job, whose processes are killed one after another. */
  private static RecoveryPhases median(String what, Victim victim) throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), "recovery", 2, DIGITS);
    TrainingRun run =
        new TrainingRun(
            cluster.flink(), topic, cluster.directory().resolve(topic.name()), Map.of());
    String job = run.submit(2);
    run.awaitExamples(1_000);
    List<RecoveryPhases> measured = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      JobProcesses.awaitCheckpoint(cluster, job);
      long before = run.generation();
      ManagedProcess process = victim.of(job);
      long killed = System.currentTimeMillis();
      process.kill();
      Duration down = run.awaitGenerationAfter(before, killed);
      RecoveryPhases phases = RecoveryPhases.of(cluster, job, killed, down);
      Figures.tell("Training again after %s was killed, %s".formatted(what, phases));
      measured.add(phases);
      cluster.startAgain(process);
      awaitRest(cluster.process(process.name()));
    }
    RecoveryPhases median = RecoveryPhases.median(measured);
    Figures.tell("Median of %s, %s: %s".formatted(KILLS, what, median));
    run.awaitWhole();
    run.awaitEnd(job);
    run.requireVersionsGrew();
    return median;
  }
}
