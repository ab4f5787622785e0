package dev.millrace.kafka;

import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** One Flink cluster for all integration tests of a JVM, in which a job that fails stays failed. */
public final class SharedFlink {

  private static final MiniCluster CLUSTER = start();

  private SharedFlink() {}

  public static StreamExecutionEnvironment environment(int parallelism) throws Exception {
    URI rest = CLUSTER.getRestAddress().get();
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createRemoteEnvironment(
            rest.getHost(), rest.getPort(), configuration);
    env.setParallelism(parallelism);
    return env;
  }

  private static MiniCluster start() {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_PORT, "0");
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      throw new IllegalStateException("No Flink cluster to test with", e);
    }
    return cluster;
  }
}
