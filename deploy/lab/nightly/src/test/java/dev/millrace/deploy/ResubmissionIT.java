package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.digits.Digits;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.local.cluster.Hosts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TaskManagers outlive many jobs: what a job has loaded goes when it does. */
class ResubmissionIT {

  private static final int IN_TURN = 12;

  /** Until then caches fill, and native libraries are loaded once and for all. */
  private static final int SETTLED = 3;

  /** What is submitted: a jar, and the engine of its job. */
  private record Submission(Path jar, String engine) {}

  /** Neither engine is in the other's way, and each is loaded once. */
  @ParameterizedTest
  @ValueSource(strings = {"thin", "uber"})
  void bothEnginesInTurnLeaveNothing(String kind) throws Exception {
    List<Submission> both =
        Stream.of("dl4j", "torch")
            .map(
                engine ->
                    new Submission(
                        kind.equals("thin") ? Distribution.jobJar() : Distribution.uberJar(engine),
                        engine))
            .toList();
    leavesNothing(kind + "-both", both);
  }

  /** Submits these in turn to one TaskManager. */
  private static void leavesNothing(String name, List<Submission> inTurn) throws Exception {
    List<Footprint> footprints = new ArrayList<>();
    try (TestCluster cluster = TestCluster.start("resubmission-" + name, plan(), Hosts.LOOPBACK)) {
      Topic topic = Topic.of(cluster.bootstrapServers(), "digits", 1, new Digits(2_000, 3));
      long pid = cluster.process("taskmanager-1").pid();
      for (int i = 1; i <= IN_TURN; i++) {
        Submission submission = inTurn.get(i % inTurn.size());
        TrainingRun run =
            new TrainingRun(
                cluster.flink(),
                topic,
                cluster.directory().resolve("run-" + i),
                Map.of("input.bounded", "false", "model.engine", submission.engine()));
        String job = run.submit(submission.jar(), 1, List.of());
        run.awaitExamples(300);
        assertThat(cluster.flink().run("cancel", job).exitCode()).isZero();
        awaitFreeSlot(cluster);
        footprints.add(Footprint.of(pid));
        Figures.tell("%s, submission %s: %s".formatted(name, i, footprints.get(i - 1)));
      }
      Footprint settled = footprints.get(SETTLED * inTurn.size() - 1);
      // Clients of a job that was cancelled a moment ago may have threads still.
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> requireNoGrowth(settled, Footprint.of(pid)));
    }
  }

  private static void requireNoGrowth(Footprint settled, Footprint last) {
    // A job's classes take 20 MB, a copy of the native libraries 37 MB and three threads. Flink's
    // own pools grow by two threads a submission until the seventh.
    assertThat(last.metaspaceKb()).isLessThan(settled.metaspaceKb() + 5_000);
    assertThat(last.threads()).isLessThan(settled.threads() + 4);
    assertThat(last.rssKb()).isLessThan(settled.rssKb() + 60_000);
    assertThat(last.heapKb()).isLessThan(settled.heapKb() + 10_000);
    assertThat(last.files()).isLessThan(settled.files() + 4);
  }

  /** With the whole heap in memory from the start, so that what grows is something else. */
  private static ClusterPlan plan() {
    return TestCluster.plan(
        1,
        false,
        Map.of(
            "env.java.opts.taskmanager",
            "-XX:+AlwaysPreTouch -Dorg.bytedeco.javacpp.maxbytes=0"
                + " -Dorg.bytedeco.javacpp.maxphysicalbytes=0"));
  }

  private static void awaitFreeSlot(TestCluster cluster) {
    try (ClusterView view = ClusterView.of(cluster.cluster().configuration())) {
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> view.overview().map(o -> o.freeSlots() == 1).orElse(false));
    }
  }
}
