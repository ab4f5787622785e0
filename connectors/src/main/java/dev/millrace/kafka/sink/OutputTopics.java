package dev.millrace.kafka.sink;

import dev.millrace.kafka.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes records to several topics of a cluster, in one sink. */
public final class OutputTopics {

  private OutputTopics() {}

  /** Each record is in its topic at least once; after a failure some are there twice. */
  public static Sink<OutputRecord> atLeastOnce(KafkaCluster cluster) {
    return builder(cluster).setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE).build();
  }

  /**
   * Each record is in its topic exactly once, for readers of committed records, and is seen when
   * the checkpoint after it is complete.
   *
   * @param transactionalIdPrefix no two jobs of the cluster may have the same
   */
  public static Sink<OutputRecord> exactlyOnce(KafkaCluster cluster, String transactionalIdPrefix) {
    return builder(cluster)
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(transactionalIdPrefix)
        .build();
  }

  private static KafkaSinkBuilder<OutputRecord> builder(KafkaCluster cluster) {
    return TopicSinks.builder(cluster, new Serializer(), Map.of());
  }

  /** No lambda: its form in a job has Kafka's names, which the jar for Flink SQL changes. */
  private static final class Serializer implements KafkaRecordSerializationSchema<OutputRecord> {

    private static final long serialVersionUID = 1;

    /** Records get the time of writing: with that of the data, retention might delete them. */
    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        OutputRecord output, KafkaSinkContext context, Long timestamp) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(output.topic(), output.keyOrNull(), output.valueOrNull());
      output
          .headers()
          .forEach(
              (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
      return record;
    }
  }
}
