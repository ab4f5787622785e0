package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink's adaptive scheduler goes on with fewer replicas than a job was submitted with. */
class LostSlotIT {

  private static final int PARTITIONS = 2;
  private static final int RECORDS = 400;

  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "clicked", "role": "label"}]
      """;

  private final MiniCluster cluster = cluster();

  @TempDir Path directory;

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  /** Rows of the shard that is lost are found with the other one, as Flink has dealt them out. */
  @ParameterizedTest
  @ValueSource(strings = {"arrival", "replica"})
  void aJobWithRowsGoesOnWithTheSlotsThatAreLeft(String order) throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Job job =
        new Job(topic, directory)
            .unset("input.features")
            .set("input.format", "json")
            .set("input.fields", FIELDS)
            .set("input.outputs", "2")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("exchange.schedule", "sync")
            .set("rows.order", order)
            .set("rows.prefetch", "0");
    produce(topic, 0);

    cluster.start();
    JobID id = cluster.submitJob(graph(job)).get().getJobID();
    await()
        .atMost(Job.LIMIT)
        .until(() -> job.taken() == PARTITIONS * RECORDS && replicas(job) == PARTITIONS);
    cluster.terminateTaskManager(0).get();
    produce(topic, RECORDS);

    await().atMost(Job.LIMIT).until(() -> job.taken() == 2 * PARTITIONS * RECORDS);
    // What shards report is put together, of as many as there are now.
    await().atMost(Job.LIMIT).until(() -> rows(job) == 2 * PARTITIONS * RECORDS);
    cluster.cancelJob(id).get();

    assertThat(replicas(job)).isEqualTo(1);
  }

  /** Returns how many the newest attempt has; 0 before the first one. */
  private static int replicas(Job job) throws IOException {
    List<JsonNode> runs = job.metrics("run");
    return runs.isEmpty() ? 0 : runs.get(runs.size() - 1).get("replicas").intValue();
  }

  /** Returns how many rows the newest report has; 0 before the first one. */
  private static int rows(Job job) throws IOException {
    List<JsonNode> reports = job.metrics("rows");
    return reports.isEmpty() ? 0 : reports.get(reports.size() - 1).at("/tables/0/rows").intValue();
  }

  /** Each record has a user of its own. */
  private static void produce(String topic, int from) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int of = partition;
      Broker.produce(
          topic,
          partition,
          IntStream.range(from, from + RECORDS)
              .mapToObj(i -> "{\"user\":\"%s-%s\",\"clicked\":%s}".formatted(of, i, i % 2))
              .map(record -> record.getBytes(UTF_8))
              .toList());
    }
  }

  private static StreamGraph graph(Job job) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment environment = new StreamExecutionEnvironment(configuration);
    environment.setParallelism(PARTITIONS);
    JobSetup.of(JobKind.TRAINING, job.options(), configuration)
        .build(environment, FaultInjector.NONE);
    return PipelineExecutorUtils.getStreamGraph(environment.getStreamGraph(), configuration);
  }

  private static MiniCluster cluster() {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
    // It begins with what there is, and takes what comes.
    for (ConfigOption<Duration> wait :
        List.of(
            JobManagerOptions.SCHEDULER_SUBMISSION_RESOURCE_STABILIZATION_TIMEOUT,
            JobManagerOptions.SCHEDULER_EXECUTING_RESOURCE_STABILIZATION_TIMEOUT,
            JobManagerOptions.SCHEDULER_EXECUTING_COOLDOWN_AFTER_RESCALING)) {
      configuration.set(wait, Duration.ZERO);
    }
    return new MiniCluster(
        new MiniClusterConfiguration.Builder()
            .setConfiguration(configuration)
            .setNumTaskManagers(PARTITIONS)
            .setNumSlotsPerTaskManager(1)
            .build());
  }
}
