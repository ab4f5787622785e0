package dev.millrace.kafka.sink;

import dev.millrace.kafka.KafkaCluster;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records with keys, to one topic: those of one key go to one partition, as Kafka's producers
 * choose it. They get the time of writing, or their own.
 */
public final class KeyedTopic {

  /** Key and value have as many at most, or brokers may refuse a record for ever. */
  public static final int MAX_BYTES = 900_000;

  private final KafkaCluster cluster;
  private final String topic;

  public KeyedTopic(KafkaCluster cluster, String topic) {
    this.cluster = Objects.requireNonNull(cluster, "cluster");
    this.topic = Objects.requireNonNull(topic, "topic");
  }

  /**
   * Makes a sink without a guarantee: after a failure some records may be missing, and others there
   * twice.
   */
  public Sink<KeyedRecord> unguaranteed() {
    return builder().setDeliveryGuarantee(DeliveryGuarantee.NONE).build();
  }

  /** Each record is in the topic at least once; after a failure some are there twice. */
  public Sink<KeyedRecord> atLeastOnce() {
    return builder().setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE).build();
  }

  /**
   * Each record is in the topic exactly once, for readers of committed records, and is seen when
   * the checkpoint after it is complete.
   *
   * @param transactionalIdPrefix no two jobs of the cluster may have the same
   */
  public Sink<KeyedRecord> exactlyOnce(String transactionalIdPrefix) {
    return builder()
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(transactionalIdPrefix)
        .build();
  }

  private KafkaSinkBuilder<KeyedRecord> builder() {
    // With one request under way at a time, a small batch would be all of it.
    return TopicSinks.builder(
        cluster, new Serializer(topic), Map.of(ProducerConfig.BATCH_SIZE_CONFIG, "262144"));
  }

  /** No lambda: its form in a job has Kafka's names, which the jar for Flink SQL changes. */
  private record Serializer(String topic) implements KafkaRecordSerializationSchema<KeyedRecord> {

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        KeyedRecord record, KafkaSinkContext context, Long timestamp) {
      return new ProducerRecord<>(topic, null, time(record), record.key(), record.value());
    }
  }

  /**
   * Returns the time of a record; null has the producer set it. Brokers refuse a time that is too
   * far ahead of their clocks, and the job would fail for it: no record gets one that has yet to
   * come.
   */
  private static Long time(KeyedRecord record) {
    return record.timestamp() == KeyedRecord.WHEN_WRITTEN
        ? null
        : Long.valueOf(Math.min(record.timestamp(), System.currentTimeMillis()));
  }
}
