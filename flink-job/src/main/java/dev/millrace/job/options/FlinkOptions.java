package dev.millrace.job.options;

import org.apache.flink.configuration.Configuration;

/**
 * Options of Flink itself. Every key that starts with {@code flink.} goes to the configuration of a
 * cluster that Millrace starts. A cluster that is there already has its own.
 */
public final class FlinkOptions {

  /** The prefix of options that are passed to Flink under the rest of their key. */
  public static final String PREFIX = "flink.";

  private FlinkOptions() {}

  /** Flink's configuration: all {@code flink.*} keys, prefix removed. */
  public static Configuration clusterConfiguration(Configuration options) {
    Configuration cluster = new Configuration();
    options
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                cluster.setString(key.substring(PREFIX.length()), value);
              }
            });
    return cluster;
  }
}
