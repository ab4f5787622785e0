package dev.millrace.kafka.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic of predictions, in the order of each partition, and keeps all that it has read.
 *
 * <p>Not thread-safe.
 */
public final class Predictions implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One record of the topic.
   *
   * @param written when, in milliseconds since the epoch
   */
  public record One(byte[] key, JsonNode value, long written) {

    /** The record that was predicted for. */
    public Partition partition() {
      return new Partition(value.get("topic").asText(), value.get("partition").asInt());
    }

    public long offset() {
      return value.get("offset").asLong();
    }

    /** The round of the model's version. */
    public long round() {
      String version = value.get("version").asText();
      return Long.parseLong(version.substring(version.indexOf('.') + 1));
    }

    /** A number of an array. */
    public float number(String array, int index) {
      return value.get(array).get(index).floatValue();
    }
  }

  private final KafkaCluster cluster;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final List<One> all = new ArrayList<>();

  /** Reads what is committed. */
  public Predictions(KafkaCluster cluster, String topic, int partitionCount) {
    this.cluster = cluster;
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "isolation.level",
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    partitions =
        IntStream.range(0, partitionCount).mapToObj(p -> new TopicPartition(topic, p)).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** How many records are there by now, those that end transactions included. */
  public long count() {
    return consumer.endOffsets(partitions).values().stream().mapToLong(end -> end).sum();
  }

  /** All that is there by now. */
  public List<One> read() throws IOException {
    all.addAll(readMore());
    return all;
  }

  /** As {@link #read}, of jobs that have ended: waits for what they have committed. */
  public List<One> readRest() throws IOException {
    all.addAll(readTo(CommittedRecords.written(cluster, partitions, consumer)));
    return all;
  }

  /** What has come since the last call, and isn't kept: a long stream would fill the memory. */
  public List<One> readMore() throws IOException {
    return readTo(consumer.endOffsets(partitions));
  }

  private List<One> readTo(Map<TopicPartition, Long> ends) throws IOException {
    List<One> more = new ArrayList<>();
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        more.add(new One(record.key(), JSON.readTree(record.value()), record.timestamp()));
      }
    }
    return more;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
