package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.deploy.TrainingRun.Progress;
import dev.millrace.file.DataSpec;
import dev.millrace.job.cluster.ClusterPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A TaskManager that the network loses for a while, and that comes back. */
class NetworkPartitionIT {

  private static final DataSpec DIGITS = new DataSpec.Digits(8_000, 6);
  private static final Duration CUT = Duration.ofSeconds(10);

  @Test
  void aLinkThatIsDownForAWhileCostsNoRecord() throws Exception {
    assumeTrue(NetworkNamespaces.arePossible(), "needs root and network namespaces");
    List<Process> taskManagers = new ArrayList<>();
    try (NetworkNamespaces network = new NetworkNamespaces(2);
        TestCluster cluster = TestCluster.start("partition", plan(network), network.outside())) {
      for (int host = 1; host <= 2; host++) {
        taskManagers.add(startTaskManager(cluster, network, host));
      }
      cluster.cluster().awaitTaskManagers(2);
      Topic topic = Topic.of(cluster.bootstrapServers(), "partition", 2, DIGITS);
      TrainingRun run =
          new TrainingRun(
              cluster.flink(), topic, cluster.directory().resolve("partition"), Map.of());
      String job = run.submit(2);
      run.awaitExamples(1_500);

      Progress before = run.latest();
      long cut = System.currentTimeMillis();
      network.cut(2);
      // What is tried is a link that is down for so long.
      TimeUnit.MILLISECONDS.sleep(CUT.toMillis());
      network.mend(2);
      Duration down = run.awaitGenerationAfter(before.generation(), cut);

      Acceptance.tell("Training again after a link was down for 10 s: %s".formatted(down));
      run.awaitWhole();
      run.awaitEnd(job);
      run.requireVersionsGrew();
      assertThat(run.latest().generation()).isPositive();
    } finally {
      taskManagers.forEach(Process::destroyForcibly);
    }
  }

  private static ClusterPlan plan(NetworkNamespaces network) {
    return TestCluster.plan(
        0,
        false,
        Map.of(
            "jobmanager.rpc.address", network.outside(),
            "jobmanager.bind-host", network.outside()));
  }

  private static Process startTaskManager(TestCluster cluster, NetworkNamespaces network, int host)
      throws Exception {
    String name = "taskmanager-" + host;
    List<String> command =
        new ArrayList<>(network.on(host, cluster.cluster().taskManagerCommand(name)));
    command.addAll(List.of("-D", "taskmanager.host=" + network.address(host)));
    command.addAll(List.of("-D", "taskmanager.bind-host=" + network.address(host)));
    Path output = cluster.cluster().files().logs().resolve(name + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(Path.of("/dev/null").toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    return builder.start();
  }
}
