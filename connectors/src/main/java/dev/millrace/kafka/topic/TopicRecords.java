package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Counts the records that topics hold now, as a job would be given them: those of aborted
 * transactions aren't, and transactions' markers are none.
 *
 * <p>Not thread-safe.
 */
public final class TopicRecords implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /** Records between two calls of a listener. */
  private static final long OFTEN = 100_000;

  /**
   * What a partition holds.
   *
   * @param records between the offsets that were asked for
   * @param beginning offset of the first record that retention has left
   * @param end offset behind the last committed record
   * @param compacted whether the broker may have removed records that a job was given; false where
   *     this user may not ask
   * @param topicId of the topic that has the name now; empty where the brokers have none
   */
  public record Found(Span records, long beginning, long end, boolean compacted, String topicId) {}

  private final KafkaCluster cluster;
  private final Duration limit;
  private final BrokerConnection connection;
  private final KafkaConsumer<byte[], byte[]> consumer;

  private TopicRecords(KafkaCluster cluster, Duration limit, BrokerConnection connection) {
    this.cluster = cluster;
    this.limit = limit;
    this.connection = connection;
    this.consumer = consumer(cluster, limit);
  }

  /**
   * Connects.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it can't be used
   */
  public static TopicRecords open(KafkaCluster cluster, Duration limit) {
    return new TopicRecords(cluster, limit, BrokerConnection.open(cluster, limit));
  }

  /**
   * Reads all records from {@code first} to {@code last}, as far as they are there; none where
   * another topic has the name now.
   *
   * @param progress told now and then of how many more records were read
   * @return empty if there is no such partition
   * @throws KafkaAccessException if it may not be read
   */
  public Optional<Found> between(
      Partition partition, long first, long last, LongConsumer progress) {
    return between(partition, first, last, record -> {}, progress);
  }

  /**
   * Reads records as the other {@code between} does, and hands out each.
   *
   * @param reader takes the values; null of a record that has none
   * @throws KafkaAccessException if it may not be read
   */
  public Optional<Found> between(
      Partition partition, long first, long last, Consumer<byte[]> reader, LongConsumer progress) {
    TopicDescription topic = connection.topics(List.of(partition.topic())).get(partition.topic());
    if (topic == null) {
      return Optional.empty();
    }
    TopicFacts facts = TopicFacts.of(topic);
    if (TopicChange.differ(partition.topicId(), facts.id())) {
      return Optional.of(new Found(Span.EMPTY, 0, 0, false, facts.id()));
    }
    if (facts.partitions() <= partition.number()) {
      return Optional.empty();
    }
    boolean compacted =
        CleanupPolicy.ifTold(connection, partition.topic())
            .map(CleanupPolicy::compacts)
            .orElse(false);
    TopicPartition read = new TopicPartition(partition.topic(), partition.number());
    try {
      consumer.assign(List.of(read));
      long beginning = consumer.beginningOffsets(List.of(read)).get(read);
      long end = consumer.endOffsets(List.of(read)).get(read);
      Span records =
          read(read, Math.max(first, beginning), Math.min(last + 1, end), reader, progress);
      return Optional.of(new Found(records, beginning, end, compacted, facts.id()));
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read '" + partition.topic() + "'", limit, e);
    }
  }

  /**
   * Offsets that a topic has used, over all partitions: its records, where it has no transactions
   * and nothing was deleted.
   */
  public long offsets(String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
  }

  private Span read(
      TopicPartition partition,
      long from,
      long to,
      Consumer<byte[]> reader,
      LongConsumer progress) {
    Span records = Span.EMPTY;
    long told = 0;
    if (from < to) {
      consumer.seek(partition, from);
    }
    long at = from;
    long deadline = System.nanoTime() + limit.toNanos();
    while (at < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < to) {
          records = records.plus(record.offset());
          reader.accept(record.value());
        }
      }
      long before = at;
      at = consumer.position(partition);
      if (at > before) {
        deadline = System.nanoTime() + limit.toNanos();
      } else if (System.nanoTime() > deadline) {
        // Polls of a broker that is gone come back empty for ever.
        throw new TimeoutException("No record after offset %s came".formatted(at - 1));
      }
      if (records.count() - told >= OFTEN) {
        progress.accept(records.count() - told);
        told = records.count();
      }
    }
    progress.accept(records.count() - told);
    return records;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(KafkaCluster cluster, Duration limit) {
    String millis = Long.toString(limit.toMillis());
    return new KafkaConsumer<>(
        cluster.clientProperties(
            Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.CLIENT_ID_CONFIG,
                "millrace-audit",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "false",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis)),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    consumer.close();
    connection.close();
  }
}
