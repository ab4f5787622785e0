package dev.millrace.job.testing;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.LocalBroker;
import dev.millrace.kafka.TopicCreation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One real broker for all integration tests of this JVM; tests keep apart by topic names. */
public final class Broker {

  private static final LocalBroker BROKER =
      LocalBroker.start(
          Path.of(
              Objects.requireNonNull(
                  System.getProperty("millrace.broker.classpath"),
                  "millrace.broker.classpath isn't set; run with Maven's failsafe plugin")),
          Path.of("target", "broker", UUID.randomUUID().toString()));

  private Broker() {}

  public static KafkaCluster cluster() {
    return KafkaCluster.at(BROKER.bootstrapServers());
  }

  /** Makes a topic of a new name. */
  public static String topic(int partitions) {
    String name = "examples-" + UUID.randomUUID();
    TopicCreation.ensure(cluster(), name, partitions, Duration.ofSeconds(30));
    return name;
  }

  /** Writes the values to one partition, in order, and returns when the broker has them. */
  public static void produce(String topic, int partition, List<byte[]> values) throws Exception {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", BROKER.bootstrapServers());
    properties.put("max.request.size", 20_000_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (byte[] value : values) {
        sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value)));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }
}
