package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import dev.millrace.model.Partition;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads single records of topics by their offsets. It is fast where those of a partition are asked
 * for in order.
 *
 * <p>Not thread-safe.
 */
public final class RecordsByOffset implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaCluster cluster;
  private final Duration limit;
  private final Map<TopicPartition, OpenPartition> open = new HashMap<>();

  /**
   * @param limit how long a record may take to come
   */
  public RecordsByOffset(KafkaCluster cluster, Duration limit) {
    this.cluster = cluster;
    this.limit = limit;
  }

  /** A partition with a consumer of its own, which reads ahead. */
  private static final class OpenPartition {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private Iterator<ConsumerRecord<byte[], byte[]>> polled =
        List.<ConsumerRecord<byte[], byte[]>>of().iterator();

    /** The next record of the iterator has at least this offset. */
    private long at = -1;

    OpenPartition(KafkaConsumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }
  }

  /**
   * Returns a record.
   *
   * @throws KafkaAccessException if it isn't there any more, or can't be read
   */
  public ConsumerRecord<byte[], byte[]> read(String topic, int partition, long offset) {
    TopicPartition place = new TopicPartition(topic, partition);
    try {
      return read(open.computeIfAbsent(place, this::open), place, offset);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read '" + topic + "'", limit, e);
    }
  }

  /**
   * Returns the id of a topic, or {@link Partition#NO_ID}.
   *
   * @throws KafkaAccessException if the cluster can't be asked
   */
  public String topicId(String topic) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      return Optional.ofNullable(connection.topics(List.of(topic)).get(topic))
          .map(found -> TopicFacts.of(found).id())
          .orElse(Partition.NO_ID);
    }
  }

  private OpenPartition open(TopicPartition place) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            cluster.clientProperties(
                Map.of(
                    ConsumerConfig.CLIENT_ID_CONFIG,
                    "millrace-rebuild-" + place,
                    ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                    "false",
                    // A record that is gone is told, and none is read in its place.
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "none",
                    ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    Long.toString(limit.toMillis()))),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(List.of(place));
    return new OpenPartition(consumer);
  }

  private ConsumerRecord<byte[], byte[]> read(
      OpenPartition from, TopicPartition place, long offset) {
    if (offset < from.at || from.at < 0) {
      from.consumer.seek(place, offset);
      from.polled = List.<ConsumerRecord<byte[], byte[]>>of().iterator();
    }
    from.at = offset;
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      while (from.polled.hasNext()) {
        ConsumerRecord<byte[], byte[]> record = from.polled.next();
        if (record.offset() >= offset) {
          from.at = record.offset() + 1;
          return require(record, offset);
        }
      }
      if (System.nanoTime() > deadline) {
        // A broker that doesn't answer has removed nothing: this says so.
        Map<TopicPartition, Long> unused = from.consumer.endOffsets(List.of(place));
        throw gone(place.topic(), place.partition(), offset);
      }
      from.polled = from.consumer.poll(POLL).iterator();
    }
  }

  private ConsumerRecord<byte[], byte[]> require(
      ConsumerRecord<byte[], byte[]> record, long offset) {
    if (record.offset() != offset) {
      throw gone(record.topic(), record.partition(), offset);
    }
    return record;
  }

  private KafkaAccessException gone(String topic, int partition, long offset) {
    return new KafkaAccessException(
        ("Record %s of partition %s of '%s' at %s isn't there any more: retention or compaction"
                + " has removed it, so nothing that learned from it can be made again")
            .formatted(offset, partition, topic, cluster.bootstrapServers()));
  }

  @Override
  public void close() {
    open.values().forEach(one -> one.consumer.close(CloseOptions.timeout(Duration.ZERO)));
  }
}
