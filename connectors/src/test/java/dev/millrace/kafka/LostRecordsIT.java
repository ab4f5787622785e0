package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that were deleted before they were read are counted. */
@Timeout(120)
class LostRecordsIT {

  @Test
  void whatWasDeletedWhileTheJobWasDownIsCounted() throws Exception {
    String topic = SharedBroker.topic("down", 1);
    write(topic, 0, 6);
    delete(topic, 0, 4);

    for (int next : new int[] {0, 1, 4}) {
      try (ReaderByHand reader = open(topic, at(topic, 0, next))) {
        assertThat(reader.read(2)).containsExactly("0@4", "0@5");
        assertThat(reader.missed()).as("from offset %d", next).isEqualTo(4 - next);
      }
    }
  }

  @Test
  void whatIsDeletedWhileItIsReadIsCounted() throws Exception {
    String topic = SharedBroker.topic("behind", 2);
    int written = 20;
    write(topic, 0, written);
    write(topic, 1, written);

    // Little is fetched ahead, and the reader waits where nobody takes what it has.
    Map<String, String> oneByOne =
        Map.of("max.poll.records", "1", "max.partition.fetch.bytes", "1");
    try (ReaderByHand reader =
        new ReaderByHand(source(topic, oneByOne), List.of(at(topic, 0, 0), at(topic, 1, 0)))) {
      List<String> first = reader.read(2);
      delete(topic, 0, written - 1);
      write(topic, 0, 1);

      // All of partition 1, and of partition 0 what was fetched before and what is left.
      List<String> read = new ArrayList<>(first);
      while (!read.contains("0@" + written) || !read.contains("1@" + (written - 1))) {
        read.addAll(reader.read(1));
      }
      assertThat(read).doesNotHaveDuplicates().contains("0@" + (written - 1));
      assertThat(read.size() + reader.missed()).isEqualTo(written + 1 + written);
      assertThat(reader.missed()).isPositive();
    }
  }

  @Test
  void boundedInputEndsThoughAllOfItWasDeleted() throws Exception {
    String topic = SharedBroker.topic("ends", 1);
    write(topic, 0, 4);
    delete(topic, 0, 3);

    TopicPartition partition = new TopicPartition(topic, 0);
    try (ReaderByHand reader = open(topic, new KafkaPartitionSplit(partition, 0, 2))) {
      assertThat(reader.readToTheEnd()).isEmpty();
      assertThat(reader.missed()).isPositive();
    }
  }

  @Test
  void whereATopicIsShorterThanWhatWasReadItIsReadAnew() throws Exception {
    String topic = SharedBroker.topic("anew", 1);
    write(topic, 0, 2);

    try (ReaderByHand reader = open(topic, at(topic, 0, 5))) {
      assertThat(reader.read(2)).containsExactly("0@0", "0@1");
      assertThat(reader.missed()).isZero();
    }
  }

  private static ReaderByHand open(String topic, KafkaPartitionSplit split) throws Exception {
    return new ReaderByHand(source(topic, Map.of()), List.of(split));
  }

  private static Source<Received, ?, ?> source(String topic, Map<String, String> properties) {
    return ExampleSource.of(
        new SourceSettings(
            new KafkaCluster(SharedBroker.cluster().bootstrapServers(), properties),
            Topics.named(List.of(topic)),
            StartingOffsets.earliest(),
            false,
            Duration.ZERO,
            topic,
            "it",
            false),
        new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.parse("1 kb")));
  }

  private static KafkaPartitionSplit at(String topic, int partition, long next) {
    return new KafkaPartitionSplit(new TopicPartition(topic, partition), next);
  }

  /** Each in a batch of its own, so that they can be fetched one by one. */
  private static void write(String topic, int partition, int records) throws Exception {
    byte[] value = "1 0 0".getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer = SharedBroker.producer(Map.of())) {
      for (int i = 0; i < records; i++) {
        producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
      }
    }
  }

  private static void delete(String topic, int partition, long before) throws Exception {
    Map<TopicPartition, RecordsToDelete> records =
        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before));
    try (Admin admin = SharedBroker.admin()) {
      admin.deleteRecords(records).all().get();
    }
  }
}
