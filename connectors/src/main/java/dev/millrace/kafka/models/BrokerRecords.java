package dev.millrace.kafka.models;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The records of a {@link ModelTopic} that brokers have. */
final class BrokerRecords implements TopicRecords {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final KafkaCluster cluster;
  private final String topic;
  private final TopicProducer producer;

  /**
   * Opens a topic that is there.
   *
   * @throws KafkaAccessException if the options of Kafka's client are no good
   */
  BrokerRecords(KafkaCluster cluster, String topic) {
    this.cluster = cluster;
    this.topic = topic;
    this.producer = TopicProducer.open(cluster, topic, "millrace-models", "a model");
  }

  @Override
  public long send(List<ProducerRecord<byte[], byte[]>> records) {
    return producer.send(records);
  }

  @Override
  public long end() {
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
  public Contents read() {
    try (ModelTopicReader reader = ModelTopicReader.open(cluster, topic)) {
      String slot = reader.slotInUse().orElse("");
      return new Contents(slot, reader.end());
    } catch (IOException e) {
      throw new KafkaAccessException(
          "Which model the topic '%s' holds isn't known, so none is written: %s"
              .formatted(topic, e.getMessage()),
          e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
