package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic from its first record on, and what comes, outside of a job. It belongs to no group,
 * and leaves nothing at the brokers.
 *
 * <p>Not thread-safe, but for {@link #stop}.
 */
public final class TopicTail implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(250);

  private final KafkaCluster cluster;
  private final String topic;
  private final Duration limit;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;

  private TopicTail(
      KafkaCluster cluster, String topic, Duration limit, List<TopicPartition> partitions) {
    this.cluster = cluster;
    this.topic = topic;
    this.limit = limit;
    this.consumer =
        new KafkaConsumer<>(
            cluster.clientProperties(
                Map.of(
                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                    "read_committed",
                    ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                    "false",
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "earliest",
                    ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    Long.toString(limit.toMillis()),
                    ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                    Long.toString(limit.toMillis()))),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    this.ends = consumer.endOffsets(partitions);
  }

  /**
   * Opens one.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if there is no such topic, or it may not be read
   */
  public static TopicTail open(KafkaCluster cluster, String topic, Duration limit) {
    List<TopicPartition> partitions =
        TopicCheck.partitions(SourceSettings.of(cluster, Topics.named(List.of(topic))), limit);
    try {
      return new TopicTail(cluster, topic, limit, partitions);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read " + topic, limit, e);
    }
  }

  /** Whether all is read that was there when it was opened. */
  public boolean isAtEnd() {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /**
   * The values of the next records, in the order of each partition; none if none came for a moment.
   *
   * @throws KafkaAccessException if they can't be read
   */
  public List<byte[]> next() {
    List<byte[]> values = new ArrayList<>();
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.value() != null) {
          values.add(record.value());
        }
      }
    } catch (WakeupException e) {
      return List.of();
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read " + topic, limit, e);
    }
    return values;
  }

  /** Has {@link #next} return at once, whatever thread it runs on. */
  public void stop() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
