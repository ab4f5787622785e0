package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;

/** Makes topics. */
public final class TopicCreation {

  private static final Duration POLL = Duration.ofMillis(20);

  private TopicCreation() {}

  /**
   * Sees to it that a topic is there with that many partitions, and returns when brokers serve it.
   *
   * <p>An idempotent producer that is quicker than that may have its first batch refused and its
   * second taken, and then never comes to terms with the broker (KAFKA-15591).
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it exists with another number, or can't be made
   */
  public static void ensure(KafkaCluster cluster, String topic, int partitions, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      Optional<Integer> found = partitions(connection, topic);
      if (found.isEmpty()) {
        // Only now: who may write to a topic often may not make any.
        create(connection, topic, partitions);
      }
      long deadline = System.nanoTime() + limit.toNanos();
      while (found.isEmpty() && System.nanoTime() < deadline) {
        LockSupport.parkNanos(POLL.toNanos());
        found = partitions(connection, topic);
      }
      if (found.isEmpty() || found.get() != partitions) {
        throw new KafkaAccessException(
            "Topic '%s' at %s has %s partitions, and not %s. Delete it, or ask for as many as it has"
                .formatted(topic, cluster.bootstrapServers(), found.orElse(0), partitions));
      }
      awaitLeaders(connection, topic, partitions);
    }
  }

  /** Returns how many partitions a topic has; empty if there is no such topic. */
  public static Optional<Integer> partitions(BrokerConnection connection, String topic) {
    return Optional.ofNullable(connection.topics(List.of(topic)).get(topic))
        .map(description -> description.partitions().size());
  }

  /** Asks each partition's leader for its end: it answers when it has taken the partition on. */
  private static void awaitLeaders(BrokerConnection connection, String topic, int partitions) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    connection.get("look at the topic '" + topic + "'", admin -> admin.listOffsets(ends).all());
  }

  private static void create(BrokerConnection connection, String topic, int partitions) {
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    try {
      connection.get(
          "create the topic '" + topic + "'", admin -> admin.createTopics(List.of(wanted)).all());
    } catch (KafkaAccessException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }
}
