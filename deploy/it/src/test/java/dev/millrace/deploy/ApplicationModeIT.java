package dev.millrace.deploy;

import dev.millrace.file.DataSpec;
import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster that runs one job, as the Kubernetes operator starts it: no client, no session. */
class ApplicationModeIT {

  @Test
  void aClusterOfItsOwnTrainsTheJob() throws Exception {
    Path directory = Distribution.workDirectory("application");
    LocalCluster cluster =
        new LocalCluster(
            Distribution.installation(), new ClusterFiles(directory.resolve("cluster")));
    try (LocalBroker broker =
        LocalBroker.start(Distribution.brokerClassPath(), directory.resolve("broker"))) {
      Topic topic = Topic.of(broker.bootstrapServers(), "digits", 2, new DataSpec.Digits(1_500, 4));
      TrainingRun run =
          new TrainingRun(
              new Flink(cluster.files().conf()), topic, directory.resolve("run"), Map.of());

      cluster.startApplication(
          TestCluster.plan(2, false, Map.of("parallelism.default", "2")),
          List.of("--config", run.config().toString()));

      run.awaitWhole();
    } finally {
      cluster.stop();
    }
  }
}
