package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.digits.Digits;
import dev.millrace.job.TrainingJob;
import dev.millrace.job.setup.OptionReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A scheduler that puts a replica and its feedback sink into different processes. */
@ExtendWith(SharedCluster.class)
class CoLocationIT {

  @Test
  void aReplicaThatFeedbackCannotReachFailsTheJobWithTheCause(TestCluster cluster)
      throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), "co-location", 1, new Digits(500, 5));
    TrainingRun run =
        new TrainingRun(
            cluster.flink(),
            topic,
            cluster.directory().resolve("co-location"),
            Map.of("model.name", "linear"));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none"));
    environment.setParallelism(1);
    TrainingJob.build(environment, OptionReader.read(List.of("--config", run.config().toString())));
    tearApart(environment);
    JobGraph graph = environment.getStreamGraph().getJobGraph();
    graph.addJar(new Path(Distribution.jobJar().toUri()));

    try (RestClusterClient<String> client =
        new RestClusterClient<>(cluster.cluster().configuration(), "shared")) {
      JobID job = client.submitJob(graph).get(1, TimeUnit.MINUTES);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> client.getJobStatus(job).get() == JobStatus.FAILED);
      String cause =
          client
              .requestJobResult(job)
              .get(1, TimeUnit.MINUTES)
              .getSerializedThrowable()
              .orElseThrow()
              .getFullStringifiedStackTrace();

      assertThat(cause).contains("Feedback sink 0 and replica 0 run in different processes");
    }
  }

  /** Each TaskManager has one slot, and slots of different groups aren't shared. */
  private static void tearApart(StreamExecutionEnvironment environment) {
    for (Transformation<?> transformation : environment.getTransformations()) {
      for (Transformation<?> each : transformation.getTransitivePredecessors()) {
        each.setCoLocationGroupKey(null);
      }
      transformation.setCoLocationGroupKey(null);
      if (transformation.getName().equals("feedback")) {
        transformation.setSlotSharingGroup("elsewhere");
      }
    }
  }
}
