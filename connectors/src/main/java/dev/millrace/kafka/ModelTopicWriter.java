package dev.millrace.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes archives to a {@link ModelTopic}: all blocks of one, and when brokers have them its
 * manifest. One writer at a time.
 *
 * <p>Not thread-safe.
 */
public final class ModelTopicWriter implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Map<String, String> DEFAULTS =
      Map.of(
          ProducerConfig.ACKS_CONFIG,
          "all",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          Long.toString(LIMIT.toMillis()),
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          Long.toString(LIMIT.toMillis() / 3),
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          Long.toString(LIMIT.toMillis()),
          ProducerConfig.CLIENT_ID_CONFIG,
          "millrace-models");

  private final KafkaCluster cluster;
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private String slot;

  private ModelTopicWriter(
      KafkaCluster cluster, String topic, KafkaProducer<byte[], byte[]> producer, String slot) {
    this.cluster = cluster;
    this.topic = topic;
    this.producer = producer;
    this.slot = slot;
  }

  /**
   * Opens a writer to a topic that is there, and looks up which slot it must not touch.
   *
   * @throws KafkaAccessException if the topic can't be used
   */
  public static ModelTopicWriter open(KafkaCluster cluster, String topic) {
    String taken;
    try (ModelTopicReader reader = ModelTopicReader.open(cluster, topic)) {
      taken = reader.slotInUse().orElse("b");
    }
    try {
      return new ModelTopicWriter(
          cluster,
          topic,
          new KafkaProducer<>(
              cluster.clientProperties(DEFAULTS),
              new ByteArraySerializer(),
              new ByteArraySerializer()),
          other(taken));
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "open a producer", LIMIT, e);
    }
  }

  /** As the other, of an archive that nobody signed. */
  public void write(String version, byte[] archive) {
    write(version, archive, null);
  }

  /**
   * Writes an archive, and returns when brokers have all of it.
   *
   * @param version of the model
   * @param signatureOrNull of the archive; null where it wasn't signed
   * @throws KafkaAccessException if that fails; readers go on with the model before
   */
  public void write(String version, byte[] archive, String signatureOrNull) {
    send(ModelRecords.blocks(topic, slot, version, archive));
    send(List.of(ModelRecords.manifest(topic, slot, version, archive, signatureOrNull)));
    slot = other(slot);
  }

  private void send(List<ProducerRecord<byte[], byte[]>> records) {
    try {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      records.forEach(record -> sent.add(producer.send(record)));
      producer.flush();
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    } catch (KafkaException e) {
      throw failed(e);
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAccessException("Interrupted while writing a model to " + topic, e);
    }
  }

  private KafkaAccessException failed(Throwable cause) {
    return KafkaFailure.explain(cluster, "write a model to '" + topic + "'", LIMIT, cause);
  }

  private static String other(String one) {
    return one.equals("a") ? "b" : "a";
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
