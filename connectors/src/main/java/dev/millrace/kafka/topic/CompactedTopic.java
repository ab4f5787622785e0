package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A topic that keeps the newest record of each key.
 *
 * @param content what it holds, for messages: {@code models}
 * @param one of them that would be lost otherwise: {@code a model}
 */
public record CompactedTopic(KafkaCluster cluster, String topic, String content, String one) {

  private static final int SEGMENT_BYTES = 64 << 20;
  private static final long DELETE_RETENTION = Duration.ofDays(1).toMillis();

  /**
   * Sees to it that the topic is there and compacted; it is made if it isn't there.
   *
   * @param partitions of a new topic
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it can't be made, or is there and unfit
   */
  public void ensure(int partitions, Duration limit) {
    ensureExactly(make(partitions, limit), limit);
  }

  /**
   * Does what {@link #ensure} does, and refuses a topic with another number of partitions.
   *
   * @throws KafkaAccessException if it can't be made, or is there and unfit
   */
  public void ensureExactly(int partitions, Duration limit) {
    make(partitions, limit);
    // Waits until its leaders serve it.
    TopicCreation.ensure(cluster, topic, partitions, limit);
    check(limit);
  }

  /** Makes it if it isn't there. Returns how many partitions it has. */
  private int make(int partitions, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      Optional<Integer> found = TopicCreation.partitions(connection, topic);
      if (found.isEmpty()) {
        create(connection, partitions);
      }
      return found.orElse(partitions);
    }
  }

  /**
   * Checks that the topic is compacted, or isn't there yet; changes nothing.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it is there and unfit
   */
  public void check(Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      TopicCreation.partitions(connection, topic)
          .ifPresent(count -> requireCompacted(connection, count));
    }
  }

  /**
   * Says whether something was ever written to the topic.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if the cluster can't be asked
   */
  public boolean wasWritten(Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      Map<TopicPartition, OffsetSpec> ends =
          IntStream.range(0, TopicCreation.partitions(connection, topic).orElse(0))
              .mapToObj(partition -> new TopicPartition(topic, partition))
              .collect(Collectors.toMap(partition -> partition, any -> OffsetSpec.latest()));
      return connection
          .get("ask for offsets of '" + topic + "'", admin -> admin.listOffsets(ends).all())
          .values()
          .stream()
          .anyMatch(end -> end.offset() > 0);
    }
  }

  /**
   * Returns for how many milliseconds a topic keeps records of what was removed; Kafka's default
   * where that may not be asked for.
   */
  static long deleteRetention(BrokerConnection connection, String topic) {
    try {
      Config config = CleanupPolicy.config(connection, topic);
      return Long.parseLong(config.get(TopicConfig.DELETE_RETENTION_MS_CONFIG).value());
    } catch (KafkaAccessException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return DELETE_RETENTION;
      }
      throw e;
    }
  }

  private void create(BrokerConnection connection, int partitions) {
    NewTopic wanted =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_COMPACT,
                    // What was replaced is only removed from segments that are full: who starts to
                    // read shouldn't have to read all that was ever there.
                    TopicConfig.SEGMENT_BYTES_CONFIG,
                    Integer.toString(SEGMENT_BYTES),
                    TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                    "0.1"));
    try {
      connection.get(
          "create the topic '" + topic + "'", admin -> admin.createTopics(List.of(wanted)).all());
    } catch (KafkaAccessException e) {
      // Whoever may not create topics may find one that somebody else has made.
      if (!(e.getCause() instanceof TopicExistsException)
          && TopicCreation.partitions(connection, topic).isEmpty()) {
        throw e;
      }
    }
  }

  private void requireCompacted(BrokerConnection connection, int partitions) {
    String policy = CleanupPolicy.of(connection, topic).text();
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new KafkaAccessException(
          ("Topic '%s' at %s has cleanup.policy '%s' (%s partition); for %s it must be"
                  + " 'compact', or %s would be deleted by its age. Change it:"
                  + " kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config"
                  + " cleanup.policy=compact")
              .formatted(
                  topic,
                  cluster.bootstrapServers(),
                  policy,
                  partitions,
                  content,
                  one,
                  cluster.bootstrapServers(),
                  topic));
    }
  }
}
