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
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads single records of topics by their offsets. It is fast where those of a partition are asked
 * for in order, with gaps of any length.
 *
 * <p>Not thread-safe.
 */
public final class RecordsByOffset implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  /** Offsets up to which it reads on: to seek takes a request, and what was read ahead is lost. */
  private static final long NEAR = 5_000;

  private final KafkaCluster cluster;
  private final Duration limit;
  private final Function<TopicPartition, Consumer<byte[], byte[]>> consumers;
  private final Map<TopicPartition, OpenPartition> open = new HashMap<>();

  /**
   * @param limit how long it is waited while no record comes
   */
  public RecordsByOffset(KafkaCluster cluster, Duration limit) {
    this(cluster, limit, place -> consumer(place, cluster, limit));
  }

  /** {@code consumers} makes one for a partition. */
  RecordsByOffset(
      KafkaCluster cluster,
      Duration limit,
      Function<TopicPartition, Consumer<byte[], byte[]>> consumers) {
    this.cluster = cluster;
    this.limit = limit;
    this.consumers = consumers;
  }

  /** A partition with a consumer of its own, which reads ahead. */
  private static final class OpenPartition {

    private final Consumer<byte[], byte[]> consumer;
    private Iterator<ConsumerRecord<byte[], byte[]>> polled =
        List.<ConsumerRecord<byte[], byte[]>>of().iterator();

    /** The next record of the iterator has at least this offset. */
    private long at = -1;

    OpenPartition(Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    /** Whether it gets to an offset soon if it reads on. */
    boolean isNearBefore(long offset) {
      return at >= 0 && at <= offset && offset - at <= NEAR;
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
      return readOrSeek(open.computeIfAbsent(place, this::open), place, offset);
    } catch (OffsetOutOfRangeException e) {
      throw gone(topic, partition, offset);
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
    Consumer<byte[], byte[]> consumer = consumers.apply(place);
    consumer.assign(List.of(place));
    return new OpenPartition(consumer);
  }

  private static Consumer<byte[], byte[]> consumer(
      TopicPartition place, KafkaCluster cluster, Duration limit) {
    return new KafkaConsumer<>(
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
  }

  private ConsumerRecord<byte[], byte[]> readOrSeek(
      OpenPartition from, TopicPartition place, long offset) {
    if (!from.isNearBefore(offset)) {
      return read(from, place, offset);
    }
    try {
      return read(from, place, offset);
    } catch (OffsetOutOfRangeException e) {
      // The place that was read from is gone, and this one may still be there.
      from.at = -1;
      return read(from, place, offset);
    }
  }

  private ConsumerRecord<byte[], byte[]> read(
      OpenPartition from, TopicPartition place, long offset) {
    if (!from.isNearBefore(offset)) {
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
      if (from.polled.hasNext()) {
        // What is passed over takes its time, and nothing is missing while it comes.
        deadline = System.nanoTime() + limit.toNanos();
      }
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
