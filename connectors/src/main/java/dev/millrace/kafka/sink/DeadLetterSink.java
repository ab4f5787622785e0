package dev.millrace.kafka.sink;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Writes rejected records to a topic, as {@link DeadLetterFormat} lays them out. */
public final class DeadLetterSink {

  /** The longest that brokers allow unless told otherwise; Flink's own default is longer. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  public static final Map<String, String> PRODUCER =
      Map.of(
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
          Long.toString(TRANSACTION_TIMEOUT.toMillis()),
          // The broker may be making the topic just now: see TopicCreation.
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          "1");

  private DeadLetterSink() {}

  /** Each rejected record is in the topic at least once; after a failure some are there twice. */
  public static Sink<RejectedRecord> atLeastOnce(KafkaCluster cluster, String topic) {
    return builder(cluster, topic).setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE).build();
  }

  /**
   * Each rejected record is in the topic exactly once, for readers of committed records, and is
   * seen when the checkpoint after it is complete.
   *
   * @param transactionalIdPrefix no two jobs of the cluster may have the same
   */
  public static Sink<RejectedRecord> exactlyOnce(
      KafkaCluster cluster, String topic, String transactionalIdPrefix) {
    return builder(cluster, topic)
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(transactionalIdPrefix)
        .build();
  }

  private static KafkaSinkBuilder<RejectedRecord> builder(KafkaCluster cluster, String topic) {
    return KafkaSink.<RejectedRecord>builder()
        .setKafkaProducerConfig(cluster.clientProperties(PRODUCER))
        .setBootstrapServers(cluster.bootstrapServers())
        .setRecordSerializer(new DeadLetterFormat(topic));
  }
}
