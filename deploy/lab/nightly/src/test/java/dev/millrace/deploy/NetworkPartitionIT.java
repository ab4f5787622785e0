package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.digits.Digits;
import dev.millrace.file.DataSpec;
import dev.millrace.local.cluster.NetworkNamespaces;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A TaskManager that the network loses for a while, and that comes back. */
class NetworkPartitionIT {

  private static final DataSpec DIGITS = new Digits(8_000, 6);
  private static final Duration CUT = Duration.ofSeconds(10);

  @Test
  void aLinkThatIsDownForAWhileCostsNoRecord() throws Exception {
    assumeTrue(NetworkNamespaces.arePossible(), "needs root and network namespaces");
    try (NetworkNamespaces network = new NetworkNamespaces(2);
        TestCluster cluster =
            TestCluster.start("partition", TestCluster.plan(2, false, Map.of()), network)) {
      Topic topic = Topic.of(cluster.bootstrapServers(), "partition", 2, DIGITS);
      TrainingRun run =
          new TrainingRun(
              cluster.flink(), topic, cluster.directory().resolve("partition"), Map.of());
      String job = run.submit(2);
      run.awaitExamples(1_500);

      long before = run.generation();
      long cut = System.currentTimeMillis();
      network.cut("taskmanager-2");
      // What is tried is a link that is down for so long.
      TimeUnit.MILLISECONDS.sleep(CUT.toMillis());
      network.mend("taskmanager-2");
      Duration down = run.awaitGenerationAfter(before, cut);

      Figures.tell("Training again after a link was down for 10 s: %s".formatted(down));
      run.awaitWhole();
      run.awaitEnd(job);
      run.requireVersionsGrew();
      assertThat(run.generation()).isPositive();
    }
  }
}
