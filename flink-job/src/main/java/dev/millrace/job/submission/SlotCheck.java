package dev.millrace.job.submission;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.client.deployment.executors.RemoteExecutor;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.rest.handler.legacy.messages.ClusterOverviewWithVersion;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a cluster has slots for a job before it is submitted. Flink would take the job,
 * wait for slots for minutes, and then fail it.
 *
 * <p>Only of standalone session clusters, whose TaskManagers are given; not with the adaptive
 * scheduler, which makes do with fewer slots.
 */
public final class SlotCheck {

  private static final Logger LOG = LoggerFactory.getLogger(SlotCheck.class);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(250);

  private SlotCheck() {}

  /**
   * Returns when there are slots for the job. What a job that was just cancelled has is free within
   * moments.
   *
   * @param patience how long to wait for them; zero for not looking at all
   * @throws TooFewSlotsException if there weren't enough by then
   */
  public static void await(StreamExecutionEnvironment environment, Duration patience)
      throws Exception {
    ReadableConfig flink = environment.getConfiguration();
    if (patience.isZero() || !isStandaloneSession(flink) || isAdaptive(flink)) {
      return;
    }
    int needed =
        environment.getTransformations().stream()
            .mapToInt(Transformation::getParallelism)
            .reduce(environment.getParallelism(), Math::max);
    long deadline = System.nanoTime() + patience.toNanos();
    try (RestClusterClient<String> cluster =
        new RestClusterClient<>(Configuration.fromMap(flink.toMap()), "session")) {
      ClusterOverviewWithVersion has = overview(cluster);
      while (has.getNumSlotsAvailable() < needed) {
        if (System.nanoTime() > deadline) {
          throw new TooFewSlotsException(needed, has, cluster.getWebInterfaceURL());
        }
        TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        has = overview(cluster);
      }
    } catch (ExecutionException | TimeoutException e) {
      // Whoever submits to a cluster that can't be reached says so better.
      LOG.info("The cluster's slots can't be looked at", e);
    }
  }

  private static ClusterOverviewWithVersion overview(RestClusterClient<String> cluster)
      throws InterruptedException, ExecutionException, TimeoutException {
    return cluster.getClusterOverview().get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static boolean isStandaloneSession(ReadableConfig flink) {
    return RemoteExecutor.NAME.equals(flink.get(DeploymentOptions.TARGET));
  }

  private static boolean isAdaptive(ReadableConfig flink) {
    return flink.get(JobManagerOptions.SCHEDULER) == JobManagerOptions.SchedulerType.Adaptive;
  }
}
