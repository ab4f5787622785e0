package dev.millrace.kafka.testing;

import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what is committed in a topic, further each time.
 *
 * <p>Not thread-safe.
 */
public final class CommittedRecords implements AutoCloseable {

  private final KafkaCluster cluster;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  public CommittedRecords(KafkaCluster cluster, String topic) {
    this.cluster = cluster;
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "isolation.level",
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Hands out all that has been committed since the last time; how many these are. */
  public long readMore(Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    return readTo(consumer.endOffsets(partitions), reader);
  }

  /** As {@link #readMore}, of writers that have ended: waits for what they have committed. */
  public long readRest(Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    return readTo(written(cluster, partitions, consumer), reader);
  }

  /**
   * Waits until all that was written is committed, and returns where partitions end. A broker
   * answers a commit before it shows the records to those who read what is committed. So a writer
   * may have ended, and for them the partition still ends before its last transaction.
   */
  static Map<TopicPartition, Long> written(
      KafkaCluster cluster, List<TopicPartition> partitions, KafkaConsumer<?, ?> committed) {
    Map<TopicPartition, Long> ends = written(cluster, partitions);
    await()
        .pollInSameThread()
        .atMost(Broker.LIMIT)
        .until(
            () -> committed.endOffsets(partitions),
            shown -> partitions.stream().allMatch(p -> shown.get(p) >= ends.get(p)));
    return ends;
  }

  private static Map<TopicPartition, Long> written(
      KafkaCluster cluster, List<TopicPartition> partitions) {
    try (KafkaConsumer<byte[], byte[]> any =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", cluster.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return any.endOffsets(partitions);
    }
  }

  private long readTo(
      Map<TopicPartition, Long> ends, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    long count = 0;
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        reader.accept(record);
        count++;
      }
    }
    return count;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
