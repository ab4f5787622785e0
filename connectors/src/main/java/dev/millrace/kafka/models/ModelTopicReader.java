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

  /**
   * A whole model of the topic.
   *
   * @param signatureOrNull of the archive; null where it wasn't signed
   * @param held whether a person has put it back
   */
  public record Model(String version, byte[] archive, String signatureOrNull, boolean held) {}

  private final KafkaCluster cluster;
  private final String topic;
  private final TopicPartition partition;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicLookup topics;
  private String topicId = Partition.NO_ID;
  private ModelSlots slots = new ModelSlots();
  private ModelManifest given;

  private ModelTopicReader(
      KafkaCluster cluster, String topic, KafkaConsumer<byte[], byte[]> consumer) {
    this.cluster = cluster;
    this.topic = topic;
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
    BrokerConnection.open(cluster, LIMIT).close();
    Map<String, String> defaults =
        Map.of(
            ConsumerConfig.CLIENT_ID_CONFIG,
            "millrace-models",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
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
   * Reads what there is now, and gives out the topic's model if it is another than last time.
   *
   * @throws IOException if what is there can't be read as a model; the next one may be
   * @throws KafkaAccessException if the topic can't be read
   */
  public Optional<Model> poll() throws IOException {
    readToEnd();
    ModelManifest manifest = slots.manifest().orElse(null);
    if (manifest == null || manifest.equals(given)) {
      return Optional.empty();
    }
    given = manifest;
    return Optional.of(
        new Model(
            manifest.version(), slots.archive(manifest), manifest.signature(), manifest.held()));
  }

  /**
   * The slot of the model that is there; empty where there is none, or a manifest is damaged.
   *
   * @throws IOException if the topic can't be read to its end, so that it isn't known
   */
  Optional<String> slotInUse() throws IOException {
    readToEnd();
    try {
      return slots.manifest().map(ModelManifest::slot);
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  /** A topic that was made again under the name has none of the old one's records. */
  private void requireSame() {
    TopicFacts now = topics.of(List.of(topic)).get(topic);
    if (now == null) {
      return;
    }
    if (TopicChange.differ(topicId, now.id())) {
      consumer.seekToBeginning(List.of(partition));
      slots = new ModelSlots();
    }
    topicId = now.id();
  }

  /** The offset behind all that was read. */
  long end() {
    return consumer.position(partition);
  }

  private void readToEnd() throws IOException {
    // What is read before that is noticed is read again.
    requireSame();
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
