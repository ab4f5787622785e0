package dev.millrace.kafka.sink;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Begins sinks of topics: all of them have the same producer. */
final class TopicSinks {

  /** The longest that brokers allow unless told otherwise; Flink's own default is longer. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  private TopicSinks() {}

  /**
   * Begins a sink, which has no guarantee yet.
   *
   * @param more settings of the producer, unless the cluster's own say otherwise
   */
  static <T> KafkaSinkBuilder<T> builder(
      KafkaCluster cluster,
      KafkaRecordSerializationSchema<T> serializer,
      Map<String, String> more) {
    Map<String, String> defaults = new HashMap<>(more);
    defaults.put(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(TRANSACTION_TIMEOUT.toMillis()));
    // The broker may be making the topic just now: see TopicCreation.
    defaults.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    return KafkaSink.<T>builder()
        .setKafkaProducerConfig(cluster.clientProperties(defaults))
        .setBootstrapServers(cluster.bootstrapServers())
        .setRecordSerializer(serializer);
  }
}
