package dev.millrace.kafka.testing;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.local.broker.LocalBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/**
 * One real broker for all integration tests of a JVM; tests keep apart by topic names. It ends with
 * the JVM.
 */
public final class Broker {

  /** For requests of a machine that is busy. */
  public static final Duration LIMIT = Duration.ofMinutes(1);

  private static final LocalBroker BROKER =
      LocalBroker.start(
          classPath(),
          Path.of("target", "broker", UUID.randomUUID().toString()),
          Map.of(
              "auto.create.topics.enable",
              "false",
              "message.max.bytes",
              "3000000",
              "log.cleaner.backoff.ms",
              "500"));

  /** For what is asked again and again: a client costs more than its questions. */
  private static final Admin ASKED = admin();

  private Broker() {}

  public static KafkaCluster cluster() {
    return KafkaCluster.at(BROKER.bootstrapServers());
  }

  /** Names the jars of a broker, for tests that start their own. */
  public static String classPath() {
    String file =
        Objects.requireNonNull(
            System.getProperty("millrace.broker.classpath"),
            "millrace.broker.classpath isn't set; run with Maven's failsafe plugin");
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("Build the module deploy/dist/broker, which writes it", e);
    }
  }

  /** Makes a topic of a new name. */
  public static String topic(int partitions) {
    return topic("examples", partitions);
  }

  /** Makes a topic of a new name that begins with its purpose. */
  public static String topic(String purpose, int partitions) {
    return topicNamed(purpose + "-" + UUID.randomUUID(), partitions);
  }

  /** Makes a topic that some state knows by its name. */
  public static String topicNamed(String name, int partitions) {
    TopicCreation.ensure(cluster(), name, partitions, LIMIT);
    return name;
  }

  /** Deletes a topic, and makes another one of its name. */
  public static void recreate(String name, int partitions) throws Exception {
    ASKED.deleteTopics(List.of(name)).all().get();
    Awaitility.await().atMost(LIMIT).until(() -> !ASKED.listTopics().names().get().contains(name));
    topicNamed(name, partitions);
  }

  /**
   * Gives a topic more partitions, and returns when the broker has them: a producer that comes
   * before was seen to wait for two minutes, and to give up.
   *
   * @param count of all
   */
  public static void addPartitions(String name, int count) throws Exception {
    ASKED.createPartitions(Map.of(name, NewPartitions.increaseTo(count))).all().get();
    ASKED.listOffsets(Map.of(new TopicPartition(name, count - 1), OffsetSpec.latest())).all().get();
  }

  /** What tells a topic from others that had its name. */
  public static String topicId(String name) throws Exception {
    return ASKED.describeTopics(List.of(name)).allTopicNames().get().get(name).topicId().toString();
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
    ASKED
        .incrementalAlterConfigs(
            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
        .all()
        .get();
  }

  public static Admin admin() {
    return Admin.create(client(cluster(), Map.of()));
  }

  public static KafkaProducer<byte[], byte[]> producer(Map<String, String> settings) {
    return new KafkaProducer<>(
        client(cluster(), settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Map<String, Object> client(KafkaCluster cluster, Map<String, String> settings) {
    Map<String, Object> client = new HashMap<>(settings);
    client.put("bootstrap.servers", cluster.bootstrapServers());
    return client;
  }

  /** Writes lines to one partition, in order, and returns when the broker has them. */
  public static void write(String topic, int partition, String... lines) throws Exception {
    produce(
        topic,
        partition,
        Stream.of(lines).map(line -> line.getBytes(StandardCharsets.UTF_8)).toList());
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
    try (KafkaProducer<byte[], byte[]> producer =
        producer(Map.of("max.request.size", "20000000"))) {
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
    Map<Integer, Long> positions = new TreeMap<>();
    ASKED
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

  /** All records that a topic of one partition has now. */
  public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    forEach(topic, records::add);
    return records;
  }

  /** Hands out all records that a topic of one partition has now. */
  public static void forEach(String topic, Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    try (KafkaConsumer<byte[], byte[]> kafka = consumer(cluster(), topic, 1, Map.of())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      long end = kafka.endOffsets(List.of(partition)).get(partition);
      while (kafka.position(partition) < end) {
        kafka.poll(Duration.ofMillis(100)).forEach(consumer);
      }
    }
  }

  /** All committed records of a topic, partition by partition; waits for {@code count} of them. */
  public static List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions, int count) {
    return read(cluster(), topic, partitions, count);
  }

  /** As the other, of another broker. */
  public static List<ConsumerRecord<byte[], byte[]>> read(
      KafkaCluster cluster, String topic, int partitions, int count) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> kafka =
        consumer(cluster, topic, partitions, Map.of("isolation.level", "read_committed"))) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (records.size() < count && System.nanoTime() < deadline) {
        kafka.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  /** One that reads a topic from its beginning. */
  private static KafkaConsumer<byte[], byte[]> consumer(
      KafkaCluster cluster, String topic, int partitions, Map<String, String> settings) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            client(cluster, settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    return consumer;
  }
}
