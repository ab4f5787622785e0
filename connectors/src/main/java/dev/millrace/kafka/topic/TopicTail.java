package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic from its first record on, and what comes, outside of a job: what is there already
 * in the order of its times, whatever partitions it is in, with a few records in memory. It belongs
 * to no group, and leaves nothing at the brokers.
 *
 * <p>Not thread-safe, but for {@link #stop}.
 *
 * @param <T> a value that was read
 */
public final class TopicTail<T> implements AutoCloseable {

  /**
   * Says how values are read.
   *
   * @param parser empty for what is none
   * @param time of a value, in any unit
   */
  public record Reading<T>(Function<byte[], Optional<T>> parser, ToLongFunction<T> time) {}

  private static final Duration POLL = Duration.ofMillis(250);

  /** Values that are read at a time. */
  private static final int MOST = 500;

  private final KafkaCluster cluster;
  private final String topic;
  private final Duration limit;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Fetched<T>> fetched = new LinkedHashMap<>();

  private TopicTail(
      KafkaCluster cluster,
      String topic,
      Duration limit,
      List<TopicPartition> partitions,
      Reading<T> reading) {
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
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    ends.forEach((partition, end) -> fetched.put(partition, new Fetched<>(end, reading)));
  }

  /**
   * Opens one.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if there is no such topic, or it may not be read
   */
  public static <T> TopicTail<T> open(
      KafkaCluster cluster, String topic, Duration limit, Reading<T> reading) {
    List<TopicPartition> partitions =
        TopicCheck.partitions(SourceSettings.of(cluster, Topics.named(List.of(topic))), limit);
    try {
      return new TopicTail<>(cluster, topic, limit, partitions, reading);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read " + topic, limit, e);
    }
  }

  /** Whether all is given out that was there when it was opened. */
  public boolean isAtEnd() {
    return fetched.values().stream().allMatch(one -> one.isComplete && one.isEmpty());
  }

  /**
   * The next values; none if none came for a moment. Those that were there when it was opened come
   * in the order of their times, as far as partitions have that order, and later ones as they come.
   *
   * @throws KafkaAccessException if they can't be read
   */
  public List<T> next() {
    List<T> next = inOrder();
    if (next.isEmpty()) {
      fetch();
      next = inOrder();
    }
    return next;
  }

  /** Fetches of those partitions alone that have nothing left. */
  private void fetch() {
    try {
      fetched.forEach(
          (partition, one) -> {
            if (one.isEmpty()) {
              consumer.resume(List.of(partition));
            } else {
              consumer.pause(List.of(partition));
            }
          });
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      fetched.forEach((partition, one) -> one.add(records.records(partition)));
      fetched.forEach(
          (partition, one) ->
              one.isComplete = one.isComplete || consumer.position(partition) >= one.end);
    } catch (WakeupException e) {
      // Asked to stop: there is nothing more for now.
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read " + topic, limit, e);
    }
  }

  private List<T> inOrder() {
    List<T> next = new ArrayList<>();
    while (next.size() < MOST) {
      Fetched<T> first = null;
      for (Fetched<T> one : fetched.values()) {
        if (!one.isEmpty()) {
          first = first == null || one.time() < first.time() ? one : first;
        } else if (!one.isComplete) {
          // What it has yet to give may be earlier.
          return next;
        }
      }
      if (first == null) {
        return next;
      }
      next.add(first.take());
    }
    return next;
  }

  /** Holds what has come of a partition, and wasn't given out. */
  private static final class Fetched<T> {

    private final long end;
    private final Reading<T> reading;
    private final Queue<byte[]> values = new ArrayDeque<>();
    private T firstOrNull;
    private boolean isComplete;

    /** Begins with nothing of what is before an offset. */
    Fetched(long end, Reading<T> reading) {
      this.end = end;
      this.reading = reading;
    }

    void add(List<ConsumerRecord<byte[], byte[]>> records) {
      records.stream().map(ConsumerRecord::value).filter(Objects::nonNull).forEach(values::add);
      readFirst();
    }

    private void readFirst() {
      while (firstOrNull == null && !values.isEmpty()) {
        firstOrNull = reading.parser().apply(values.remove()).orElse(null);
      }
    }

    boolean isEmpty() {
      return firstOrNull == null;
    }

    long time() {
      return reading.time().applyAsLong(firstOrNull);
    }

    T take() {
      T taken = firstOrNull;
      firstOrNull = null;
      readFirst();
      return taken;
    }
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
