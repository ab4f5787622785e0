package dev.millrace.job.options;

import dev.millrace.kafka.KafkaCluster;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How to reach Kafka. Every key that starts with {@code kafka.} goes to all Kafka clients. */
public final class KafkaOptions {

  /** What stands in front of a Kafka client's own key. */
  public static final String PREFIX = "kafka.";

  public static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key(PREFIX + "bootstrap.servers")
          .stringType()
          .noDefaultValue()
          .withDescription("Addresses of brokers, host:port, with commas between them. Required.");

  public static final ConfigOption<String> GROUP_ID =
      ConfigOptions.key(PREFIX + "group.id")
          .stringType()
          .defaultValue("millrace")
          .withDescription(
              "Consumer group to which offsets are committed with every checkpoint, for other tools"
                  + " and for input.start: committed; a restored job continues from its state. Where"
                  + " dead-letter.guarantee or scoring.guarantee is exactly-once it names the"
                  + " transactions, too: no two jobs that train may share it, and no two that score.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Kafka",
          "Every key that starts with `kafka.` is handed to all Kafka clients of the job with the"
              + " prefix removed: `kafka.security.protocol`, `kafka.sasl.jaas.config`,"
              + " `kafka.ssl.truststore.location` and so on.",
          List.of(
              Setting.of(
                  BOOTSTRAP_SERVERS,
                  Range.text("host:port[,host:port…]", KafkaOptions::isServerList)),
              Setting.of(GROUP_ID, Range.text("a name"))));

  private KafkaOptions() {}

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
    return new KafkaCluster(servers, properties);
  }

  private static boolean isServerList(String value) {
    return value.matches("\\s*[^,\\s]+:\\d{1,5}\\s*(,\\s*[^,\\s]+:\\d{1,5}\\s*)*");
  }
}
