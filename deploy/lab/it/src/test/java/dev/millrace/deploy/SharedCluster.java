package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.local.cluster.Hosts;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands tests one cluster of two JobManagers and three TaskManagers, which lives until all of them
 * have run.
 */
final class SharedCluster implements BeforeAllCallback, AfterEachCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster(context);
  }

  /** Cancels what a test that failed has left: the next one needs the slots. */
  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    try (RestClusterClient<String> client =
        new RestClusterClient<>(cluster(context).cluster().configuration(), "shared")) {
      for (JobStatusMessage job : client.listJobs().get()) {
        if (!job.getJobState().isGloballyTerminalState()) {
          try {
            client.cancel(job.getJobId()).get();
          } catch (ExecutionException e) {
            // It has ended meanwhile.
          }
          await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> client.getJobStatus(job.getJobId()).get().isGloballyTerminalState());
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  private static TestCluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent("cluster", any -> start(), TestCluster.class);
  }

  private static TestCluster start() {
    try {
      return TestCluster.start(
          "shared", TestCluster.plan(3, true, TestCluster.shortLived()), Hosts.LOOPBACK);
    } catch (Exception e) {
      throw new IllegalStateException("The cluster didn't start", e);
    }
  }
}
