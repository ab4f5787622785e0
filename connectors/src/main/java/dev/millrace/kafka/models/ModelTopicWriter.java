package dev.millrace.kafka.models;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes archives to a {@link ModelTopic}: all blocks of one, and when brokers have them its
 * manifest. A job and a person may write at the same time, since each of them has slots of their
 * own; and of each one after the other, since a writer that finds more in the topic than it wrote
 * looks up anew which slot it must not touch.
 *
 * <p>Not thread-safe.
 */
public final class ModelTopicWriter implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The two slots that a writer fills in turn. */
  private enum Slots {
    OF_JOBS("a", "b"),
    OF_PEOPLE("c", "d");

    private final String one;
    private final String other;

    Slots(String one, String other) {
      this.one = one;
      this.other = other;
    }

    /** One that isn't in use. */
    String free(String used) {
      return used.equals(one) ? other : one;
    }
  }

  private final KafkaCluster cluster;
  private final String topic;
  private final TopicProducer producer;
  private final Slots slots;
  private String used;
  private long end;

  private ModelTopicWriter(
      KafkaCluster cluster, String topic, TopicProducer producer, Slots slots) {
    this.cluster = cluster;
    this.topic = topic;
    this.producer = producer;
    this.slots = slots;
  }

  /**
   * Opens a job's writer to a topic that is there, and looks up which slot it must not touch.
   *
   * @throws KafkaAccessException if the topic can't be used
   */
  public static ModelTopicWriter open(KafkaCluster cluster, String topic) {
    return open(cluster, topic, Slots.OF_JOBS);
  }

  /**
   * Opens a writer for a person, who puts a model back while a job writes.
   *
   * @throws KafkaAccessException if the topic can't be used
   */
  public static ModelTopicWriter openBesideJob(KafkaCluster cluster, String topic) {
    return open(cluster, topic, Slots.OF_PEOPLE);
  }

  private static ModelTopicWriter open(KafkaCluster cluster, String topic, Slots slots) {
    ModelTopicWriter writer =
        new ModelTopicWriter(
            cluster,
            topic,
            TopicProducer.open(cluster, topic, "millrace-models", "a model"),
            slots);
    try {
      writer.lookUp();
      return writer;
    } catch (RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /** Finds out which slot is in use. */
  private void lookUp() {
    try (ModelTopicReader reader = ModelTopicReader.open(cluster, topic)) {
      used = reader.slotInUse().orElse("");
      end = reader.end();
    } catch (IOException e) {
      throw new KafkaAccessException(
          "Which model the topic '%s' holds isn't known, so none is written: %s"
              .formatted(topic, e.getMessage()),
          e);
    }
  }

  /** Writes an archive that nobody signed. */
  public void write(String version, byte[] archive) {
    write(version, archive, null, false);
  }

  /**
   * Writes an archive, and returns when brokers have all of it.
   *
   * @param version of the model
   * @param signatureOrNull of the archive; null where it wasn't signed
   * @param held whether a person has put the model back, and holds it
   * @throws KafkaAccessException if that fails; readers go on with the model before
   */
  public void write(String version, byte[] archive, String signatureOrNull, boolean held) {
    writeManifest(writeBlocks(version, archive), version, archive, signatureOrNull, held);
  }

  /** The slot that they are in. */
  String writeBlocks(String version, byte[] archive) {
    if (endNow() != end) {
      lookUp();
    }
    String slot = slots.free(used);
    producer.send(ModelRecords.blocks(topic, slot, version, archive));
    return slot;
  }

  void writeManifest(
      String slot, String version, byte[] archive, String signatureOrNull, boolean held) {
    end =
        producer.send(
                List.of(
                    ModelRecords.manifest(topic, slot, version, archive, signatureOrNull, held)))
            + 1;
    used = slot;
  }

  private long endNow() {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      return connection
          .get(
              "look at the topic '" + topic + "'",
              admin -> admin.listOffsets(Map.of(partition, OffsetSpec.latest())).all())
          .get(partition)
          .offset();
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
