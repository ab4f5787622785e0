package dev.millrace.kafka.testing;

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

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  public CommittedRecords(KafkaCluster cluster, String topic) {
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
    long count = 0;
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
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
