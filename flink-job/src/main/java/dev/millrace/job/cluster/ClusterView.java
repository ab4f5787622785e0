package dev.millrace.job.cluster;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.client.JobStatusMessage;

/** A running cluster as its REST interface tells it, found by ZooKeeper where it has one. */
public final class ClusterView implements AutoCloseable {

  private static final long SECONDS = 5;

  /** What a cluster has. */
  public record Overview(int taskManagers, int slots, int freeSlots) {}

  private final RestClusterClient<String> client;

  private ClusterView(RestClusterClient<String> client) {
    this.client = client;
  }

  /**
   * Makes a client, which connects when it is asked.
   *
   * @param flink configuration of the cluster, or of a client of it
   */
  public static ClusterView of(Configuration flink) {
    Configuration impatient = new Configuration(flink);
    impatient.set(RestOptions.RETRY_MAX_ATTEMPTS, 1);
    try {
      return new ClusterView(new RestClusterClient<>(impatient, "cluster"));
    } catch (Exception e) {
      throw new ClusterException("The cluster's client can't be made: " + e.getMessage(), e);
    }
  }

  /** Nothing where the cluster doesn't answer. */
  public Optional<Overview> overview() throws InterruptedException {
    try {
      var answer = client.getClusterOverview().get(SECONDS, TimeUnit.SECONDS);
      return Optional.of(
          new Overview(
              answer.getNumTaskManagersConnected(),
              answer.getNumSlotsTotal(),
              answer.getNumSlotsAvailable()));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  /** Running jobs and those that the cluster still remembers; nothing where it doesn't answer. */
  public Optional<Collection<JobStatusMessage>> jobs() throws InterruptedException {
    try {
      return Optional.of(client.listJobs().get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  public String webPage() {
    return client.getWebInterfaceURL();
  }

  @Override
  public void close() {
    client.close();
  }
}
