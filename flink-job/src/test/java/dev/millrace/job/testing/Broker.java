package dev.millrace.job.testing;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.TopicCreation;
import dev.millrace.local.broker.LocalBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One real broker for all integration tests of this JVM; tests keep apart by topic names. */
public final class Broker {

  private static final LocalBroker BROKER =
      LocalBroker.start(
          Path.of(
              Objects.requireNonNull(
                  System.getProperty("millrace.broker.classpath"),
                  "millrace.broker.classpath isn't set; run with Maven's failsafe plugin")),
          Path.of("target", "broker", UUID.randomUUID().toString()),
          Map.of("log.cleaner.backoff.ms", "500"));

  private static final Map<String, Object> CLIENT =
      Map.of("bootstrap.servers", BROKER.bootstrapServers());

  private Broker() {}

  public static KafkaCluster cluster() {
    return KafkaCluster.at(BROKER.bootstrapServers());
  }

  /** Makes a topic of a new name. */
  public static String topic(int partitions) {
    return topicNamed("examples-" + UUID.randomUUID(), partitions);
  }

  /** Makes a topic that some state knows by its name. */
  public static String topicNamed(String name, int partitions) {
    TopicCreation.ensure(cluster(), name, partitions, Duration.ofSeconds(30));
    return name;
  }

  /** Has a topic take records of so many bytes; usually it takes about a million. */
  public static void allowRecordsOf(String topic, int bytes) throws Exception {
    configure(topic, Map.of("max.message.bytes", Integer.toString(bytes)));
  }

  /** Has a topic keep the newest record of each key, and take none without. */
  public static void compact(String topic) throws Exception {
    configure(topic, Map.of("cleanup.policy", "compact"));
  }

  /** Sets keys of a topic's configuration. */
  public static void configure(String topic, Map<String, String> configuration) throws Exception {
    List<AlterConfigOp> changes =
        configuration.entrySet().stream()
            .map(entry -> new ConfigEntry(entry.getKey(), entry.getValue()))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    try (Admin admin = Admin.create(CLIENT)) {
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
          .all()
          .get();
    }
  }

  /** Writes the values to one partition, in order, and returns when the broker has them. */
  public static void produce(String topic, int partition, List<byte[]> values) throws Exception {
    produce(topic, partition, values, any -> null);
  }

  /**
   * As the other.
   *
   * @param keys the key of each value by its number, or null
   */
  public static void produce(
      String topic, int partition, List<byte[]> values, IntFunction<byte[]> keys) throws Exception {
    Map<String, Object> properties = new HashMap<>(CLIENT);
    properties.put("max.request.size", 20_000_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        sent.add(
            producer.send(new ProducerRecord<>(topic, partition, keys.apply(i), values.get(i))));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }

  /**
   * The offsets that a job which learns from this topic had come to at its newest checkpoint, by
   * partition; partitions without one are left out.
   */
  public static Map<Integer, Long> positions(String topic) throws Exception {
    return positions(topic, topic);
  }

  /** As {@link #positions(String)}, of a job that is named for another topic. */
  public static Map<Integer, Long> positions(String group, String topic) throws Exception {
    try (Admin admin = Admin.create(CLIENT)) {
      Map<Integer, Long> positions = new TreeMap<>();
      admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach(
              (partition, offset) -> {
                if (partition.topic().equals(topic)) {
                  positions.put(partition.partition(), offset.offset());
                }
              });
      return positions;
    }
  }

  /** All records that a topic of one partition has now. */
  public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    forEach(topic, records::add);
    return records;
  }

  /** Hands out all records that a topic of one partition has now. */
  public static void forEach(String topic, Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> kafka =
        new KafkaConsumer<>(CLIENT, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      kafka.assign(List.of(partition));
      kafka.seekToBeginning(List.of(partition));
      long end = kafka.endOffsets(List.of(partition)).get(partition);
      while (kafka.position(partition) < end) {
        kafka.poll(Duration.ofMillis(100)).forEach(consumer);
      }
    }
  }
}
