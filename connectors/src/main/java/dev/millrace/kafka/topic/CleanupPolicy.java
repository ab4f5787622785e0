package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How a topic gets rid of old records.
 *
 * @param text as the broker has it: delete, compact or both
 */
record CleanupPolicy(String text) {

  /**
   * Asks for that of a topic.
   *
   * @throws KafkaAccessException if it can't be told, or this user may not ask
   */
  static CleanupPolicy of(BrokerConnection connection, String topic) {
    return new CleanupPolicy(
        config(connection, topic).get(TopicConfig.CLEANUP_POLICY_CONFIG).value());
  }

  /** Asks for that of a topic; empty where it can't be told, or this user may not ask. */
  static Optional<CleanupPolicy> ifTold(BrokerConnection connection, String topic) {
    try {
      return Optional.of(of(connection, topic));
    } catch (KafkaAccessException e) {
      return Optional.empty();
    }
  }

  /** Returns all settings of a topic, as {@link #of} asks for one. */
  static Config config(BrokerConnection connection, String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return connection
        .get(
            "describe the settings of the topic '" + topic + "'",
            admin -> admin.describeConfigs(List.of(resource)).all())
        .get(resource);
  }

  boolean compacts() {
    return text.contains(TopicConfig.CLEANUP_POLICY_COMPACT);
  }
}
