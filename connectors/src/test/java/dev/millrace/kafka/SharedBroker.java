package dev.millrace.kafka;

import dev.millrace.local.broker.LocalBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One broker for all integration tests of a JVM; they keep apart by the names of their topics. */
final class SharedBroker {

  static final Duration LIMIT = Duration.ofSeconds(10);

  private static final LocalBroker BROKER =
      LocalBroker.start(
          classPathFile(),
          Path.of("target", "shared-broker", UUID.randomUUID().toString()),
          Map.of("auto.create.topics.enable", "false", "message.max.bytes", "3000000"));

  private SharedBroker() {}

  static KafkaCluster cluster() {
    return KafkaCluster.at(BROKER.bootstrapServers());
  }

  static Path classPathFile() {
    return Path.of(
        Objects.requireNonNull(
            System.getProperty("millrace.broker.classpath"),
            "millrace.broker.classpath isn't set; run this test with Maven's failsafe plugin"));
  }

  /** Makes a topic of a new name. */
  static String topic(String purpose, int partitions) {
    String name = purpose + "-" + UUID.randomUUID();
    TopicCreation.ensure(cluster(), name, partitions, LIMIT);
    return name;
  }

  static Admin admin() {
    return Admin.create(cluster().clientProperties(Map.of()));
  }

  static KafkaProducer<byte[], byte[]> producer(Map<String, String> settings) {
    return new KafkaProducer<>(
        cluster().clientProperties(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  static void write(String topic, int partition, String... values) {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      for (String value : values) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  /** All committed records of a topic, partition by partition; waits for {@code count} of them. */
  static List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions, int count) {
    return read(cluster(), topic, partitions, count);
  }

  static List<ConsumerRecord<byte[], byte[]>> read(
      KafkaCluster cluster, String topic, int partitions, int count) {
    Map<String, String> settings = Map.of("isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            cluster.clientProperties(settings),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (records.size() < count && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }
}
