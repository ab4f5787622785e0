package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads all partitions of a topic for somebody who copies it, from where the copy stands. Records
 * of transactions are read once these are complete.
 *
 * <p>A compacted topic has records of what was removed for a while only, {@code
 * delete.retention.ms}. A copy that is further behind may have missed some, and begins anew.
 *
 * <p>Not thread-safe.
 */
public final class TopicFollower implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Between two looks at what the brokers say of the topic. */
  private static final long LOOK_MILLIS = 5_000;

  /** A copy that is less far behind goes on, whatever the topic's retention is. */
  private static final long LEAST_RETENTION = Duration.ofMinutes(1).toMillis();

  private final KafkaCluster cluster;
  private final String topic;
  private final LongSupplier clock;
  private final TopicFacts facts;
  private final long retention;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicLookup topics;
  private final boolean goesOn;
  private Ends ends;
  private boolean caughtUp;
  private long asOf;
  private long looked;

  /** Where partitions ended at a time. */
  private record Ends(Map<TopicPartition, Long> offsets, long time) {}

  private TopicFollower(
      KafkaCluster cluster,
      String topic,
      LongSupplier clock,
      TopicFacts facts,
      long retention,
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPlace place) {
    this.cluster = cluster;
    this.topic = topic;
    this.clock = clock;
    this.facts = facts;
    this.retention = retention;
    this.consumer = consumer;
    this.topics = new BrokerTopics(cluster, LIMIT);
    for (int partition = 0; partition < facts.partitions(); partition++) {
      partitions.add(new TopicPartition(topic, partition));
    }
    consumer.assign(partitions);
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    this.ends = ends();
    this.looked = ends.time;
    this.goesOn = isWithin(starts, place);
    // What is read from now on is whole for as long as the topic keeps what was removed.
    this.asOf = goesOn ? place.asOf() : ends.time;
    for (TopicPartition partition : partitions) {
      consumer.seek(
          partition,
          goesOn
              ? place.offsets().getOrDefault(partition.partition(), starts.get(partition))
              : starts.get(partition));
    }
  }

  private Ends ends() {
    long time = clock.getAsLong();
    return new Ends(consumer.endOffsets(partitions), time);
  }

  /** Whether the topic still has all that comes behind a place. */
  private boolean isWithin(Map<TopicPartition, Long> starts, TopicPlace place) {
    return !TopicChange.differ(place.topicId(), facts.id())
        && !isTooOld(place.asOf())
        && place.offsets().entrySet().stream()
            .allMatch(
                entry -> {
                  TopicPartition partition = new TopicPartition(topic, entry.getKey());
                  return starts.containsKey(partition)
                      && entry.getValue() >= starts.get(partition)
                      && entry.getValue() <= ends.offsets.get(partition);
                });
  }

  private boolean isTooOld(long time) {
    return clock.getAsLong() - time > retention;
  }

  /**
   * Opens a topic.
   *
   * @param place where the copy stands
   * @throws KafkaAccessException if it isn't there, or can't be read
   */
  public static TopicFollower open(KafkaCluster cluster, String topic, TopicPlace place) {
    return open(cluster, topic, place, System::currentTimeMillis);
  }

  /** Does what the other does, by another clock. */
  static TopicFollower open(
      KafkaCluster cluster, String topic, TopicPlace place, LongSupplier clock) {
    TopicFacts facts;
    long retention;
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      facts =
          facts(connection, topic)
              .orElseThrow(
                  () ->
                      new KafkaAccessException(
                          "There is no topic '%s' at %s; start the job that writes it"
                              .formatted(topic, cluster.bootstrapServers())));
      retention = Math.max(LEAST_RETENTION, CompactedTopic.deleteRetention(connection, topic));
    }
    Map<String, String> defaults =
        Map.of(
            ConsumerConfig.CLIENT_ID_CONFIG,
            "millrace-follower",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            "false",
            // A topic that was removed is made again by who writes to it.
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            "false",
            // Where a place is gone, the copy begins anew; the consumer doesn't do so by itself.
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "none",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            "10000",
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            Long.toString(LIMIT.toMillis()));
    KafkaConsumer<byte[], byte[]> consumer = null;
    try {
      consumer =
          new KafkaConsumer<>(
              cluster.clientProperties(defaults),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      return new TopicFollower(cluster, topic, clock, facts, retention, consumer, place);
    } catch (KafkaException e) {
      if (consumer != null) {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  private static Optional<TopicFacts> facts(BrokerConnection connection, String topic) {
    return Optional.ofNullable(connection.topics(List.of(topic)).get(topic)).map(TopicFacts::of);
  }

  /**
   * Whether the copy goes on from its place. Otherwise all of the topic is read, as another has its
   * name, or what comes next is gone, or it is long ago: the copy begins anew.
   */
  public boolean goesOn() {
    return goesOn;
  }

  /**
   * Waits for records for so long at most, and gives out those that have come.
   *
   * @param records takes key and value of each
   * @return how many there were
   * @throws KafkaAccessException if the topic can't be read, or has changed so that it must be
   *     opened again; at the latest some seconds after that is so
   */
  public int poll(Duration limit, BiConsumer<byte[], byte[]> records) {
    try {
      if (clock.getAsLong() - looked >= LOOK_MILLIS) {
        look();
      }
      int count = 0;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(limit)) {
        records.accept(record.key(), record.value());
        count++;
      }
      noteProgress();
      return count;
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  /**
   * Asks for the topic, and for its ends. The consumer alone would wait without a word for brokers
   * that are away, and read a topic that was made anew from the old one's offset on.
   */
  private void look() {
    Optional<TopicFacts> now = Optional.ofNullable(topics.of(List.of(topic)).get(topic));
    if (!now.equals(Optional.of(facts))) {
      throw new KafkaAccessException(
          "The topic '%s' at %s was %s"
              .formatted(
                  topic,
                  cluster.bootstrapServers(),
                  now.isEmpty()
                      ? "deleted"
                      : TopicChange.differ(facts.id(), now.get().id())
                          ? "deleted and made again"
                          : "given other partitions"));
    }
    if (isTooOld(asOf)) {
      throw new KafkaAccessException(
          ("The copy of the topic '%s' has all records up to %s only, and may have missed some that"
                  + " are gone since")
              .formatted(topic, Instant.ofEpochMilli(asOf)));
    }
    if (isReached()) {
      ends = ends();
    }
    looked = clock.getAsLong();
  }

  private void noteProgress() {
    if (ends.time > asOf || !caughtUp) {
      if (isReached()) {
        asOf = Math.max(asOf, ends.time);
        caughtUp = true;
      }
    }
  }

  private boolean isReached() {
    for (TopicPartition partition : partitions) {
      if (consumer.position(partition) < ends.offsets.get(partition)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the place behind all that was given out. */
  public TopicPlace place() {
    Map<Integer, Long> offsets = new HashMap<>();
    partitions.forEach(
        partition -> offsets.put(partition.partition(), consumer.position(partition)));
    return new TopicPlace(facts.id(), offsets, asOf);
  }

  /** Returns {@link TopicPlace#asOf} of {@link #place}. */
  public long asOf() {
    return asOf;
  }

  /** Whether all was given out that was there when the topic was opened. */
  public boolean hasCaughtUp() {
    if (!caughtUp) {
      noteProgress();
    }
    return caughtUp;
  }

  /** Closes it at once, wherever brokers are. */
  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
    topics.close();
  }
}
