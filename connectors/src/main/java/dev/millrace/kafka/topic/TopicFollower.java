package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads all partitions of a topic for somebody who copies it, from where the copy stands. Records
 * of transactions are read once these are complete.
 *
 * <p>Not thread-safe.
 */
public final class TopicFollower implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final KafkaCluster cluster;
  private final String topic;
  private final String topicId;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;
  private final boolean goesOn;

  private TopicFollower(
      KafkaCluster cluster,
      String topic,
      TopicFacts facts,
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPlace place) {
    this.cluster = cluster;
    this.topic = topic;
    this.topicId = facts.id();
    this.consumer = consumer;
    List<TopicPartition> partitions = new ArrayList<>();
    for (int partition = 0; partition < facts.partitions(); partition++) {
      partitions.add(new TopicPartition(topic, partition));
    }
    consumer.assign(partitions);
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    this.ends = consumer.endOffsets(partitions);
    this.goesOn = isWithin(starts, place);
    for (TopicPartition partition : partitions) {
      consumer.seek(
          partition,
          goesOn
              ? place.offsets().getOrDefault(partition.partition(), starts.get(partition))
              : starts.get(partition));
    }
  }

  /** Whether the topic still has all that comes behind a place. */
  private boolean isWithin(Map<TopicPartition, Long> starts, TopicPlace place) {
    return !TopicChange.differ(place.topicId(), topicId)
        && place.offsets().entrySet().stream()
            .allMatch(
                entry -> {
                  TopicPartition partition = new TopicPartition(topic, entry.getKey());
                  return starts.containsKey(partition)
                      && entry.getValue() >= starts.get(partition)
                      && entry.getValue() <= ends.get(partition);
                });
  }

  /**
   * Opens a topic.
   *
   * @param place where the copy stands
   * @throws KafkaAccessException if it isn't there, or can't be read
   */
  public static TopicFollower open(KafkaCluster cluster, String topic, TopicPlace place) {
    TopicFacts facts = facts(cluster, topic);
    Map<String, String> defaults =
        Map.of(
            ConsumerConfig.CLIENT_ID_CONFIG,
            "millrace-follower",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            "false",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            "10000",
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            Long.toString(LIMIT.toMillis()));
    try {
      KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(
              cluster.clientProperties(defaults),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      return new TopicFollower(cluster, topic, facts, consumer, place);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  private static TopicFacts facts(KafkaCluster cluster, String topic) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      return connection.topics(List.of(topic)).values().stream()
          .findFirst()
          .map(TopicFacts::of)
          .orElseThrow(
              () ->
                  new KafkaAccessException(
                      "There is no topic '%s' at %s; start the job that writes it"
                          .formatted(topic, cluster.bootstrapServers())));
    }
  }

  /**
   * Whether the copy goes on from its place. Otherwise all of the topic is read, as another has
   * its name, or what comes next is gone: the copy begins anew.
   */
  public boolean goesOn() {
    return goesOn;
  }

  /**
   * Waits for records for so long at most, and gives out those that have come.
   *
   * @param records takes key and value of each
   * @return how many there were
   * @throws KafkaAccessException if the topic can't be read
   */
  public int poll(Duration limit, BiConsumer<byte[], byte[]> records) {
    try {
      int count = 0;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(limit)) {
        records.accept(record.key(), record.value());
        count++;
      }
      return count;
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  /** Returns the place behind all that was given out. */
  public TopicPlace place() {
    Map<Integer, Long> offsets = new HashMap<>();
    ends.keySet()
        .forEach(partition -> offsets.put(partition.partition(), consumer.position(partition)));
    return new TopicPlace(topicId, offsets);
  }

  /** Whether all was given out that was there when the topic was opened. */
  public boolean hasCaughtUp() {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
