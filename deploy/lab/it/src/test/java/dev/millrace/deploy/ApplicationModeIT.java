package dev.millrace.deploy;

import dev.millrace.digits.Digits;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster that runs one job, as the Kubernetes operator starts it: no client, no session. */
@Tag("slow")
class ApplicationModeIT {

  @Test
  void aClusterOfItsOwnTrainsTheJob() throws Exception {
    Path directory = Distribution.workDirectory("application");
    LocalCluster cluster =
        new LocalCluster(
            Distribution.installation(), new ClusterFiles(directory.resolve("cluster")));
    try {
      Topic topic =
          Topic.of(Broker.cluster().bootstrapServers(), "application", 1, new Digits(300, 4));
      TrainingRun run =
          new TrainingRun(
              new Flink(cluster.files().conf()), topic, directory.resolve("run"), Map.of());

      cluster.startApplication(
          TestCluster.plan(1, false, TestCluster.shortLived()),
          List.of("--config", run.config().toString()));

      run.awaitWhole();
    } finally {
      cluster.stop();
    }
  }
}
