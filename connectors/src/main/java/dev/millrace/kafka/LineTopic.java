package dev.millrace.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Lines of text as records of a topic, such as the metrics of a job. */
public final class LineTopic {

  private LineTopic() {}

  /**
   * A sink that makes each line one record, UTF-8, without a key. At least once: after a failure,
   * lines since the last checkpoint may be there twice.
   */
  public static Sink<String> sink(KafkaCluster cluster, String topic) {
    // The broker may be making the topic just now: see TopicCreation.
    Map<String, String> defaults =
        Map.of(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    return KafkaSink.<String>builder()
        .setKafkaProducerConfig(cluster.clientProperties(defaults))
        .setBootstrapServers(cluster.bootstrapServers())
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        // Records get the time of writing: with that of the data, retention might delete them.
        .setRecordSerializer(
            (line, context, timestamp) ->
                new ProducerRecord<>(topic, line.getBytes(StandardCharsets.UTF_8)))
        .build();
  }
}
