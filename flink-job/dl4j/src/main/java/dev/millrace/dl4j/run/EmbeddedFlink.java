package dev.millrace.dl4j.run;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A Flink cluster in this process, on the loopback interface. It starts while the first job is put
 * together. Jobs are submitted by calls: clients of Flink's REST interface ask every two seconds
 * whether a job has ended.
 */
public final class EmbeddedFlink implements AutoCloseable {

  private static final String TARGET = "embedded";

  private final MiniCluster cluster;
  private final CompletableFuture<Void> started = new CompletableFuture<>();

  private EmbeddedFlink(MiniCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts a cluster of one TaskManager with so many slots. Returns before it has started. */
  public static EmbeddedFlink start(int slots) {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ZERO);
    return starting(
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build()));
  }

  private static EmbeddedFlink starting(MiniCluster cluster) {
    EmbeddedFlink flink = new EmbeddedFlink(cluster);
    Thread thread = new Thread(flink::start, "millrace-start");
    thread.setDaemon(true);
    thread.start();
    return flink;
  }

  private void start() {
    try {
      cluster.start();
      started.complete(null);
    } catch (Exception | Error e) {
      started.completeExceptionally(
          new IllegalStateException("Flink can't be started in this process: " + e, e));
    }
  }

  /** An environment whose jobs run in the cluster. */
  public StreamExecutionEnvironment environment(Configuration configuration) {
    Configuration all = new Configuration(configuration);
    all.set(DeploymentOptions.TARGET, TARGET);
    all.set(DeploymentOptions.ATTACHED, true);
    return new StreamExecutionEnvironment(
        new Executors(cluster, started), all, Thread.currentThread().getContextClassLoader());
  }

  /** Ends the cluster, and what runs in it. */
  @Override
  public void close() {
    try {
      // A start that has failed was told to the job that waited for it.
      started.handle((result, failure) -> null).join();
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException("Flink can't be ended in this process: " + e, e);
    }
  }

  private record Executors(MiniCluster cluster, CompletableFuture<Void> started)
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
      started.get();
      return cluster
          .submitJob(graph)
          .thenApply(
              submitted ->
                  new MiniClusterJobClient(
                      submitted.getJobID(), cluster, userCode, JobFinalizationBehavior.NOTHING));
    }
  }
}
