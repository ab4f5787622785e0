package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/** How long topics keep their records. */
public final class TopicRetention {

  private static final String FOR_EVER = "-1";

  private TopicRetention() {}

  /**
   * Finds the topics of a source that don't keep every record, and the settings that say so.
   *
   * @param limit for each request to the cluster
   * @return by topic, settings such as {@code retention.ms=604800000}; of those that may be asked
   * @throws KafkaAccessException if the cluster can't be asked at all
   */
  public static SortedMap<String, String> ofThoseThatForget(
      SourceSettings settings, Duration limit) {
    Collection<TopicPartition> partitions = TopicCheck.partitions(settings, limit);
    SortedMap<String, String> found = new TreeMap<>();
    try (BrokerConnection connection = BrokerConnection.open(settings.cluster(), limit)) {
      for (String topic :
          partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet())) {
        setting(connection, topic).ifPresent(setting -> found.put(topic, setting));
      }
    }
    return found;
  }

  private static Optional<String> setting(BrokerConnection connection, String topic) {
    Config config;
    try {
      config = CleanupPolicy.config(connection, topic);
    } catch (KafkaAccessException e) {
      return Optional.empty();
    }
    if (new CleanupPolicy(value(config, TopicConfig.CLEANUP_POLICY_CONFIG)).compacts()) {
      return Optional.of(
          TopicConfig.CLEANUP_POLICY_CONFIG
              + "="
              + value(config, TopicConfig.CLEANUP_POLICY_CONFIG));
    }
    for (String name :
        List.of(TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG)) {
      if (!value(config, name).equals(FOR_EVER)) {
        return Optional.of(name + "=" + value(config, name));
      }
    }
    return Optional.empty();
  }

  /** Returns what a setting is; as if for ever where the broker doesn't know it. */
  private static String value(Config config, String name) {
    return Optional.ofNullable(config.get(name)).map(ConfigEntry::value).orElse(FOR_EVER);
  }
}
