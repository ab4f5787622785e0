package dev.millrace.kafka;

import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The first few records that a job would read from each partition. */
final class TopicSample {

  private static final int RECORDS_PER_PARTITION = 5;

  private final SourceSettings settings;
  private final Collection<TopicPartition> partitions;
  private final Duration limit;

  TopicSample(SourceSettings settings, Collection<TopicPartition> partitions, Duration limit) {
    this.settings = settings;
    this.partitions = partitions;
    this.limit = limit;
  }

  /**
   * Reads until one record is accepted, or there are no more.
   *
   * @throws KafkaAccessException if there are records and all are rejected, or none may be read
   */
  void requireUsable(ExampleDeserializer deserializer) {
    deserializer.open();
    try (TopicReader reader = TopicReader.open(settings, partitions, limit)) {
      requireUsable(reader, deserializer);
    }
  }

  private void requireUsable(TopicReader reader, ExampleDeserializer deserializer) {
    Map<TopicPartition, Integer> taken = new HashMap<>();
    RejectedRecord first = null;
    int rejected = 0;
    long deadline = System.nanoTime() + limit.toNanos();
    while (reader.hasMore() && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (taken.merge(partition, 1, Integer::sum) > RECORDS_PER_PARTITION) {
          reader.leave(partition);
          continue;
        }
        Received received = deserializer.read(record);
        if (!(received instanceof RejectedRecord bad)) {
          return;
        }
        first = first == null ? bad : first;
        rejected++;
      }
    }
    if (first != null) {
      throw new KafkaAccessException(
          ("None of the first %d records of %s is an example that this job can use."
                  + " %s, offset %d: %s. Check the format, the number of features, and the labels")
              .formatted(
                  rejected, settings.topics(), first.partition(), first.offset(), first.reason()));
    }
  }
}
