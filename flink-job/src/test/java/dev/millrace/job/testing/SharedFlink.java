package dev.millrace.job.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.checkpoint.CheckpointStatsHistory;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One Flink cluster of one TaskManager for all integration tests of a JVM: it starts with the first
 * job, and a test that ends leaves no job in it.
 */
public final class SharedFlink implements AfterEachCallback {

  /** Replicas that a test may have; benchmarks ask for more with {@code -Dmillrace.slots}. */
  private static final int SLOTS = Integer.getInteger("millrace.slots", 4);

  /** More than a job makes while a test reads one. */
  private static final int RETAINED = 1_000;

  private static final String TARGET = "shared";

  private static MiniCluster cluster;

  /** An environment whose jobs run in the cluster. */
  public static StreamExecutionEnvironment environment(Configuration configuration)
      throws Exception {
    MiniCluster running = cluster();
    Configuration all = new Configuration(configuration);
    all.set(DeploymentOptions.TARGET, TARGET);
    all.set(DeploymentOptions.ATTACHED, true);
    return new StreamExecutionEnvironment(
        new Executors(running), all, SharedFlink.class.getClassLoader());
  }

  private static synchronized MiniCluster cluster() throws Exception {
    if (cluster == null) {
      Configuration configuration = new Configuration();
      configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
      configuration.set(RestOptions.ADDRESS, "127.0.0.1");
      configuration.set(RestOptions.BIND_PORT, "0");
      configuration.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ZERO);
      // The one setting of checkpoints that a job can't have for itself.
      configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, RETAINED);
      configuration.setString(Counters.REPORTER, Counters.Factory.class.getName());
      MiniCluster started =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setConfiguration(configuration)
                  .setNumTaskManagers(1)
                  .setNumSlotsPerTaskManager(SLOTS)
                  .build());
      started.start();
      cluster = started;
    }
    return cluster;
  }

  /** What Flink tells of the last checkpoints of a job, also of one that has ended. */
  public static CheckpointStatsHistory checkpoints(JobID job) throws Exception {
    return cluster().getExecutionGraph(job).get().getCheckpointStatsSnapshot().getHistory();
  }

  /** Cancels what a test that failed has left: the next one needs the slots. */
  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    MiniCluster running;
    synchronized (SharedFlink.class) {
      running = cluster;
    }
    if (running == null) {
      return;
    }
    for (JobStatusMessage job : running.listJobs().get()) {
      if (!job.getJobState().isGloballyTerminalState()) {
        try {
          running.cancelJob(job.getJobId()).get();
        } catch (ExecutionException e) {
          // It has ended meanwhile.
        }
        running.requestJobResult(job.getJobId()).get();
      }
    }
  }

  /** Submits without Flink's REST interface, whose clients ask every two seconds. */
  private record Executors(MiniCluster cluster)
      implements PipelineExecutorServiceLoader, PipelineExecutorFactory, PipelineExecutor {

    @Override
    public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
      return this;
    }

    @Override
    public Stream<String> getExecutorNames() {
      return Stream.of(TARGET);
    }

    @Override
    public String getName() {
      return TARGET;
    }

    @Override
    public boolean isCompatibleWith(Configuration configuration) {
      return true;
    }

    @Override
    public PipelineExecutor getExecutor(Configuration configuration) {
      return this;
    }

    @Override
    public CompletableFuture<JobClient> execute(
        Pipeline pipeline, Configuration configuration, ClassLoader userCode) throws Exception {
      StreamGraph graph = PipelineExecutorUtils.getStreamGraph(pipeline, configuration);
      return cluster
          .submitJob(graph)
          .thenApply(
              submitted ->
                  new MiniClusterJobClient(
                      submitted.getJobID(), cluster, userCode, JobFinalizationBehavior.NOTHING));
    }
  }
}
