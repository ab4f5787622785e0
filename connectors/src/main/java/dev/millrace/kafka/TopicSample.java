package dev.millrace.kafka;

import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The first few records that a job would read from each partition. */
final class TopicSample {

  private static final int RECORDS_PER_PARTITION = 5;
  private static final Duration POLL = Duration.ofMillis(100);

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
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      readWith(consumer, deserializer);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(settings.cluster(), "read " + settings.topics(), limit, e);
    }
  }

  private void readWith(KafkaConsumer<byte[], byte[]> consumer, ExampleDeserializer deserializer) {
    Map<TopicPartition, Long> ends = seekToStart(consumer);
    Map<TopicPartition, Integer> taken = new HashMap<>();
    RejectedRecord first = null;
    int rejected = 0;
    long deadline = System.nanoTime() + limit.toNanos();
    while (!ends.isEmpty() && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (taken.merge(partition, 1, Integer::sum) <= RECORDS_PER_PARTITION) {
          Received received = deserializer.read(record);
          if (!(received instanceof RejectedRecord bad)) {
            return;
          }
          first = first == null ? bad : first;
          rejected++;
        }
      }
      ends.entrySet()
          .removeIf(
              end ->
                  taken.getOrDefault(end.getKey(), 0) >= RECORDS_PER_PARTITION
                      || consumer.position(end.getKey()) >= end.getValue());
      consumer.assign(ends.keySet());
    }
    if (first != null) {
      throw new KafkaAccessException(
          ("None of the first %d records of %s is an example that this job can learn from."
                  + " %s, offset %d: %s. Check the format, the number of features, and the labels")
              .formatted(
                  rejected, settings.topics(), first.partition(), first.offset(), first.reason()));
    }
  }

  /** Assigns the partitions that have something to read, and tells where each of them ends. */
  private Map<TopicPartition, Long> seekToStart(KafkaConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> starts = new HashMap<>(beginnings);
    starts.putAll(settings.start().find(partitions, new ConsumerOffsets(consumer)));
    // Markers are negative, and committed offsets may have aged out.
    starts.replaceAll((partition, start) -> Math.max(start, beginnings.get(partition)));
    ends.entrySet().removeIf(end -> starts.get(end.getKey()) >= end.getValue());
    consumer.assign(ends.keySet());
    ends.keySet().forEach(partition -> consumer.seek(partition, starts.get(partition)));
    return ends;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    String millis = Long.toString(limit.toMillis());
    Map<String, String> defaults =
        Map.of(
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.CLIENT_ID_CONFIG,
            settings.clientIdPrefix() + "-check",
            ConsumerConfig.GROUP_ID_CONFIG,
            settings.groupId(),
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            "false",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            millis,
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            millis);
    return new KafkaConsumer<>(
        settings.cluster().clientProperties(defaults),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
