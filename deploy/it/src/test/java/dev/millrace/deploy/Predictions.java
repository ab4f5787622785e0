package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a scoring job writes to a topic of one partition, read as it comes. */
final class Predictions implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaConsumer<byte[], byte[]> consumer;

  /** The model that predicted it last, by partition and offset of the example. */
  private final Map<String, ModelVersion> byRecord = new ConcurrentHashMap<>();

  private final Set<ModelVersion> versions = new TreeSet<>();

  private Predictions(KafkaConsumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  static Predictions read(KafkaCluster kafka, String topic) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition(topic, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    return new Predictions(consumer);
  }

  private void poll() {
    consumer
        .poll(Duration.ofMillis(50))
        .forEach(
            record -> {
              try {
                JsonNode prediction = JSON.readTree(record.value());
                ModelVersion version = ModelVersion.parse(prediction.get("version").asText());
                versions.add(version);
                byRecord.put(prediction.get("partition") + "/" + prediction.get("offset"), version);
              } catch (IOException e) {
                throw new AssertionError("A prediction that is no JSON", e);
              }
            });
  }

  /** How many examples have been predicted, each counted once. */
  long records() {
    poll();
    return byRecord.size();
  }

  Set<ModelVersion> versions() {
    return versions;
  }

  void awaitMore(int predictions, Duration limit) {
    long before = records();
    await().pollInSameThread().atMost(limit).until(() -> records() >= before + predictions);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
