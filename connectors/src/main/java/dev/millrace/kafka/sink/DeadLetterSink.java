package dev.millrace.kafka.sink;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.KafkaCluster;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;

/** Writes rejected records to a topic, as {@link DeadLetterFormat} lays them out. */
public final class DeadLetterSink {

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
    return TopicSinks.builder(cluster, new DeadLetterFormat(topic), Map.of());
  }
}
