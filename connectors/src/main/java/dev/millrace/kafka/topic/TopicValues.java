package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.PartitionPool;
import dev.millrace.kafka.record.RawRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the records of topics, outside of a job. */
public final class TopicValues {

  private TopicValues() {}

  /**
   * Lists the topics that have records, but those of Kafka itself, in alphabetical order.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if the cluster can't be asked
   */
  public static List<String> topics(KafkaCluster cluster, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      return connection.topicsWithRecords();
    }
  }

  /**
   * Gives the values of the newest records, as many of each partition; tombstones aren't given.
   *
   * @param most records in all
   * @param limit for each request to the cluster, and for all of it
   * @throws KafkaAccessException if there is no such topic, or it can't be read
   */
  public static void newest(
      SourceSettings settings, long most, Duration limit, Consumer<byte[]> into) {
    Collection<TopicPartition> partitions = TopicCheck.partitions(settings, limit);
    long each = Math.max(1, most / Math.max(1, partitions.size()));
    try (TopicReader reader = TopicReader.open(settings, partitions, limit, each)) {
      long deadline = System.nanoTime() + limit.toNanos();
      while (reader.hasMore() && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
          if (record.value() != null) {
            into.accept(record.value());
          }
        }
      }
    }
  }

  /**
   * Gives the values of all records, in the order of each partition; tombstones aren't given.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if there is no such topic, or it can't be read
   */
  public static void all(SourceSettings settings, Duration limit, Consumer<byte[]> into) {
    records(
        settings,
        limit,
        record -> {
          if (record.value() != null) {
            into.accept(record.value());
          }
        });
  }

  /**
   * Gives all records, tombstones included, in the order of each partition.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if there is no such topic, or it can't be read
   */
  public static void records(SourceSettings settings, Duration limit, Consumer<RawRecord> into) {
    Collection<TopicPartition> partitions = TopicCheck.partitions(settings, limit);
    PartitionPool pool = new PartitionPool();
    try (TopicReader reader = TopicReader.open(settings, partitions, limit)) {
      while (reader.hasMore()) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
          into.accept(
              new RawRecord(
                  pool.get(record.topic(), record.partition()),
                  record.offset(),
                  record.timestamp(),
                  record.key(),
                  record.value()));
        }
      }
    }
  }
}
