package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaFailure;
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

/**
 * Reads, outside of a job, what a source's partitions hold now: from where the job would begin, at
 * least to where they end when this is opened.
 *
 * <p>Not thread-safe.
 */
final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final SourceSettings settings;
  private final Duration limit;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /** Where each partition ends that there is more to read of. */
  private final Map<TopicPartition, Long> ends;

  private TopicReader(SourceSettings settings, Duration limit) {
    this.settings = settings;
    this.limit = limit;
    this.consumer = consumer();
    this.ends = new HashMap<>();
  }

  /**
   * Opens all of the partitions.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if they may not be read
   */
  static TopicReader open(
      SourceSettings settings, Collection<TopicPartition> partitions, Duration limit) {
    return open(settings, partitions, limit, Long.MAX_VALUE);
  }

  /**
   * Opens all of the partitions, of each at most the newest few offsets.
   *
   * @param limit for each request to the cluster
   * @param newest how many offsets
   * @throws KafkaAccessException if they may not be read
   */
  static TopicReader open(
      SourceSettings settings, Collection<TopicPartition> partitions, Duration limit, long newest) {
    TopicReader reader;
    try {
      reader = new TopicReader(settings, limit);
    } catch (KafkaException e) {
      throw explain(settings, limit, e);
    }
    try {
      reader.seekToStart(partitions, newest);
      return reader;
    } catch (KafkaException e) {
      reader.close();
      throw explain(settings, limit, e);
    }
  }

  /** Whether there may be more to read. */
  boolean hasMore() {
    return !ends.isEmpty();
  }

  /**
   * The next records, in the order of each partition; none if none came for a moment.
   *
   * @throws KafkaAccessException if they may not be read
   */
  Iterable<ConsumerRecord<byte[], byte[]>> poll() {
    try {
      Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(POLL);
      if (ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
        consumer.assign(ends.keySet());
      }
      return records;
    } catch (KafkaException e) {
      throw explain(settings, limit, e);
    }
  }

  /** Reads no more of a partition. */
  void leave(TopicPartition partition) {
    if (ends.remove(partition) != null) {
      consumer.assign(ends.keySet());
    }
  }

  private void seekToStart(Collection<TopicPartition> partitions, long newest) {
    ends.putAll(consumer.endOffsets(partitions));
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> starts = new HashMap<>(beginnings);
    starts.putAll(settings.start().find(partitions, new ConsumerOffsets(consumer)));
    // Markers are negative, and committed offsets may have aged out.
    starts.replaceAll((partition, start) -> Math.max(start, beginnings.get(partition)));
    starts.replaceAll((partition, start) -> Math.max(start, ends.get(partition) - newest));
    ends.entrySet().removeIf(end -> starts.get(end.getKey()) >= end.getValue());
    consumer.assign(ends.keySet());
    ends.keySet().forEach(partition -> consumer.seek(partition, starts.get(partition)));
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    String millis = Long.toString(limit.toMillis());
    Map<String, String> defaults =
        new HashMap<>(
            Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.CLIENT_ID_CONFIG,
                settings.clientIdPrefix() + "-check",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "false",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis));
    if (settings.groupOrNull() != null) {
      defaults.put(ConsumerConfig.GROUP_ID_CONFIG, settings.groupOrNull());
    }
    return new KafkaConsumer<>(
        settings.cluster().clientProperties(defaults),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static KafkaAccessException explain(
      SourceSettings settings, Duration limit, KafkaException failure) {
    return KafkaFailure.explain(settings.cluster(), "read " + settings.topics(), limit, failure);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
