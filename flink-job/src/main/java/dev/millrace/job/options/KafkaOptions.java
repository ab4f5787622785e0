package dev.millrace.job.options;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How to reach Kafka. Every key that starts with {@code kafka.} goes to all Kafka clients. */
public final class KafkaOptions {

  /** This stands in front of a Kafka client's own key. */
  public static final String PREFIX = "kafka.";

  public static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key(PREFIX + "bootstrap.servers")
          .stringType()
          .noDefaultValue()
          .withDescription("Addresses of the brokers. Required.");

  public static final ConfigOption<String> GROUP_ID =
      ConfigOptions.key(PREFIX + "group.id")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Consumer group to which checkpoints commit offsets. Required for group-offsets and"
                  + " exactly-once. One per job.");

  /** Flink's connector has the same default. */
  private static final ConfigOption<Long> DISCOVERY =
      ConfigOptions.key(PREFIX + "partition.discovery.interval.ms")
          .longType()
          .defaultValue(30_000L);

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Kafka",
          "Every key that starts with `kafka.` goes to all Kafka clients, without the"
              + " prefix: `kafka.security.protocol`, `kafka.ssl.truststore.location`.",
          List.of(
              Setting.common(
                  BOOTSTRAP_SERVERS,
                  Range.text("host:port[,host:port…]", KafkaOptions::isServerList)),
              Setting.of(GROUP_ID, Range.text("a name"))));

  private KafkaOptions() {}

  /**
   * A consumer group of the job.
   *
   * @param suffix tells it apart from the job's others; empty for the group itself
   * @return null where no group is given
   */
  public static String group(Configuration options, String suffix) {
    return options.getOptional(GROUP_ID).map(group -> group + suffix).orElse(null);
  }

  /**
   * A name for the transactions of a sink that no other job has, not even one with the same group:
   * whoever starts ends what is open under its own name. A job that is resumed has another name,
   * and Flink ends what is open under the one in its state, too.
   *
   * @return null where there is no group
   */
  public static String transactions(Configuration options, String suffix) {
    return options
        .getOptional(GROUP_ID)
        .map(group -> group + suffix + "-" + UUID.randomUUID())
        .orElse(null);
  }

  /**
   * The cluster, with all other {@code kafka.*} keys for its clients but the group, which is the
   * source's alone.
   */
  public static KafkaCluster cluster(Configuration options) {
    Map<String, String> properties = new TreeMap<>();
    options
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                properties.put(key.substring(PREFIX.length()), value);
              }
            });
    properties.remove(GROUP_ID.key().substring(PREFIX.length()));
    String servers = properties.remove(BOOTSTRAP_SERVERS.key().substring(PREFIX.length()));
    return new KafkaCluster(servers, properties, PREFIX);
  }

  /** Says how often sources look for new partitions and topics; zero for never. */
  public static Duration discovery(Configuration options) {
    return Duration.ofMillis(Math.max(0, options.get(DISCOVERY)));
  }

  private static boolean isServerList(String value) {
    return value.matches("\\s*[^,\\s]+:\\d{1,5}\\s*(,\\s*[^,\\s]+:\\d{1,5}\\s*)*");
  }
}
