package dev.millrace.kafka.models;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import dev.millrace.kafka.topic.BrokerTopics;
import dev.millrace.kafka.topic.TopicChange;
import dev.millrace.kafka.topic.TopicFacts;
import dev.millrace.kafka.topic.TopicLookup;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.UnusableSnapshotException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Follows a {@link ModelTopic}.
 *
 * <p>Not thread-safe.
 */
public final class ModelTopicReader implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(50);

  /** Until a model that wasn't taken is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(10);

  /**
   * A whole model of the topic.
   *
   * @param signatureOrNull of the archive; null where it wasn't signed
   * @param held whether a person has put it back
   */
  public record Model(String version, byte[] archive, String signatureOrNull, boolean held) {}

  private final KafkaCluster cluster;
  private final String topic;
  private final Duration retry;
  private final TopicPartition partition;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicLookup topics;
  private String topicId = Partition.NO_ID;
  private ModelSlots slots = new ModelSlots();

  /** Nothing more is to be done about this one: it was taken, or is damaged. */
  private ModelManifest settled;

  /** The newest failure with a model that may yet be taken; null for none. */
  private Failure failure;

  private record Failure(ModelManifest of, IOException cause, long nanos) {}

  /** Takes a model. */
  public interface Taker {

    /**
     * Takes it.
     *
     * @throws UnusableSnapshotException if it never can be
     * @throws IOException if that may be over later
     */
    void take(Model model) throws IOException;
  }

  private ModelTopicReader(
      KafkaCluster cluster, String topic, Duration retry, KafkaConsumer<byte[], byte[]> consumer) {
    this.cluster = cluster;
    this.topic = topic;
    this.retry = retry;
    this.partition = new TopicPartition(topic, 0);
    this.topics = new BrokerTopics(cluster, LIMIT);
    this.consumer = consumer;
  }

  /**
   * Opens the topic at its beginning.
   *
   * @throws KafkaAccessException if it can't be read
   */
  public static ModelTopicReader open(KafkaCluster cluster, String topic) {
    return open(cluster, topic, RETRY);
  }

  /**
   * @param retry until a model that wasn't taken is tried again
   */
  static ModelTopicReader open(KafkaCluster cluster, String topic, Duration retry) {
    BrokerConnection.open(cluster, LIMIT).close();
    Map<String, String> defaults =
        Map.of(
            ConsumerConfig.CLIENT_ID_CONFIG,
            "millrace-models",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            "false",
            // Brokers would make one that training refuses.
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            "false",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            Integer.toString(8 << 20),
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            Long.toString(LIMIT.toMillis()));
    try {
      ModelTopicReader reader =
          new ModelTopicReader(
              cluster,
              topic,
              retry,
              new KafkaConsumer<>(
                  cluster.clientProperties(defaults),
                  new ByteArrayDeserializer(),
                  new ByteArrayDeserializer()));
      reader.consumer.assign(List.of(reader.partition));
      reader.consumer.seekToBeginning(List.of(reader.partition));
      return reader;
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  /**
   * Reads what there is now, and gives out the topic's model if it is another than last time. A
   * model that the taker fails with, or that there is no memory for, is given out again a while
   * later.
   *
   * @return whether there was one, and it was taken
   * @throws IOException if what is there can't be read as a model, or taken; the same as before,
   *     until it is tried again
   * @throws KafkaAccessException if the topic can't be read
   */
  public boolean poll(Taker taker) throws IOException {
    readToEnd();
    ModelManifest manifest = slots.manifest().orElse(null);
    if (manifest == null || manifest.equals(settled)) {
      return false;
    }
    if (failure != null
        && failure.of.equals(manifest)
        && System.nanoTime() - failure.nanos < retry.toNanos()) {
      throw failure.cause;
    }
    try {
      taker.take(
          new Model(manifest.version(), archive(manifest), manifest.signature(), manifest.held()));
      settled = manifest;
      failure = null;
      return true;
    } catch (UnusableSnapshotException e) {
      settled = manifest;
      throw e;
    } catch (IOException e) {
      failure = new Failure(manifest, e, System.nanoTime());
      throw e;
    }
  }

  private byte[] archive(ModelManifest manifest) throws IOException {
    try {
      return slots.archive(manifest);
    } catch (InvalidModelException e) {
      // There may be room later.
      throw new IOException(e.getMessage(), e);
    } catch (IOException e) {
      if (slots.areCrowded()) {
        readAgain();
      } else {
        settled = manifest;
      }
      throw e;
    }
  }

  private void readAgain() {
    consumer.seekToBeginning(List.of(partition));
    slots = new ModelSlots();
  }

  /**
   * The slot of the model that is there; empty where there is none, or a manifest is damaged.
   *
   * @throws IOException if the topic isn't seen, or can't be read to its end, so that it isn't
   *     known
   */
  Optional<String> slotInUse() throws IOException {
    if (!readToEnd()) {
      throw new IOException(
          "No topic '%s' is to be seen at %s".formatted(topic, cluster.bootstrapServers()));
    }
    try {
      return slots.manifest().map(ModelManifest::slot);
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Whether there is the topic. One that was made again under the name has none of the old one's
   * records.
   */
  private boolean isThere() {
    TopicFacts now = topics.of(List.of(topic)).get(topic);
    if (now == null) {
      return false;
    }
    if (TopicChange.differ(topicId, now.id())) {
      readAgain();
    }
    topicId = now.id();
    return true;
  }

  /** The offset behind all that was read. */
  long end() {
    return consumer.position(partition);
  }

  /** Whether there is the topic. */
  private boolean readToEnd() throws IOException {
    // What is read before another topic is noticed is read again.
    if (!isThere()) {
      return false;
    }
    try {
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (consumer.position(partition) < end) {
        if (System.nanoTime() > deadline) {
          throw new IOException(
              "No record of the topic '%s' came for %s, and there should be more"
                  .formatted(topic, LIMIT));
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          slots.add(record);
          deadline = System.nanoTime() + LIMIT.toNanos();
        }
      }
      return true;
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "read the topic '" + topic + "'", LIMIT, e);
    }
  }

  @Override
  public void close() {
    consumer.close();
    topics.close();
  }
}
