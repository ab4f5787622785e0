package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Received;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
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

/** Records that were deleted before they were read fail the reader or are counted. */
@Timeout(120)
class LostRecordsIT {

  private static final boolean FAIL = true;
  private static final boolean GO_ON = false;

  @Test
  void aPartitionOfWhichNothingWasReadGoesOnWhereItBegan() throws Exception {
    String topic = Broker.topic("quiet", 1);
    List<KafkaPartitionSplit> savepoint;
    try (ReaderByHand reader = open(topic, FAIL, earliest(topic))) {
      savepoint = reader.checkpoint();
    }
    write(topic, 0, 5);
    delete(topic, 0, 2);

    assertThat(savepoint).containsExactly(at(topic, 0, 0));
    try (ReaderByHand reader = open(topic, FAIL, savepoint.get(0))) {
      assertThatThrownBy(() -> reader.read(1))
          .isInstanceOf(LostRecordsException.class)
          .hasMessageContaining("{%s-0=0}".formatted(topic));
    }
    try (ReaderByHand reader = open(topic, GO_ON, savepoint.get(0))) {
      assertThat(reader.read(3)).containsExactly("0@2", "0@3", "0@4");
      assertThat(reader.missed()).isEqualTo(2);
    }
  }

  @Test
  void earliestIsTheFirstRecordThatIsLeft() throws Exception {
    String topic = Broker.topic("aged", 1);
    write(topic, 0, 3);
    delete(topic, 0, 2);

    for (boolean fail : new boolean[] {FAIL, GO_ON}) {
      try (ReaderByHand reader = open(topic, fail, earliest(topic))) {
        assertThat(reader.checkpoint()).containsExactly(at(topic, 0, 2));
        assertThat(reader.read(1)).containsExactly("0@2");
        assertThat(reader.missed()).isZero();
      }
    }
  }

  @Test
  void whatWasDeletedWhileTheJobWasDownIsCounted() throws Exception {
    String topic = Broker.topic("down", 1);
    write(topic, 0, 6);
    delete(topic, 0, 4);

    for (int next : new int[] {0, 1, 4}) {
      try (ReaderByHand reader = open(topic, GO_ON, at(topic, 0, next))) {
        assertThat(reader.read(2)).containsExactly("0@4", "0@5");
        assertThat(reader.missed()).as("from offset %d", next).isEqualTo(4 - next);
      }
    }
  }

  @Test
  void whatIsDeletedWhileItIsReadIsCounted() throws Exception {
    String topic = Broker.topic("behind", 2);
    int written = 20;
    write(topic, 0, written);
    write(topic, 1, written);

    // Little is fetched ahead, and the reader waits where nobody takes what it has.
    Map<String, String> oneByOne =
        Map.of("max.poll.records", "1", "max.partition.fetch.bytes", "1");
    try (ReaderByHand reader =
        new ReaderByHand(
            source(topic, GO_ON, oneByOne), List.of(at(topic, 0, 0), at(topic, 1, 0)))) {
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
    String topic = Broker.topic("ends", 1);
    write(topic, 0, 4);
    delete(topic, 0, 3);

    TopicPartition partition = new TopicPartition(topic, 0);
    try (ReaderByHand reader =
        new ReaderByHand(
            ExampleSource.of(settings(topic, GO_ON, Map.of()).bounded(true), deserializer()),
            List.of(new KafkaPartitionSplit(partition, 0, 2)))) {
      assertThat(reader.readToTheEnd()).isEmpty();
      assertThat(reader.missed()).isPositive();
    }
  }

  @Test
  void whereATopicIsShorterThanWhatWasReadItIsReadAnew() throws Exception {
    String topic = Broker.topic("anew", 1);
    write(topic, 0, 2);

    try (ReaderByHand reader = open(topic, GO_ON, at(topic, 0, 5))) {
      assertThat(reader.read(2)).containsExactly("0@0", "0@1");
      assertThat(reader.missed()).isZero();
    }
  }

  private static ReaderByHand open(String topic, boolean fail, KafkaPartitionSplit split)
      throws Exception {
    return new ReaderByHand(source(topic, fail, Map.of()), List.of(split));
  }

  private static Source<Received, ?, ?> source(
      String topic, boolean fail, Map<String, String> properties) {
    return ExampleSource.of(settings(topic, fail, properties), deserializer());
  }

  private static SourceSettings settings(
      String topic, boolean fail, Map<String, String> properties) {
    return SourceSettings.of(
            new KafkaCluster(Broker.cluster().bootstrapServers(), properties),
            Topics.named(List.of(topic)))
        .inGroup(topic)
        .failingOnLostRecords(fail);
  }

  private static ExampleDeserializer deserializer() {
    return new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.parse("1 kb"));
  }

  /** As the connector has partitions that it discovers, and savepoints of before had them. */
  private static KafkaPartitionSplit earliest(String topic) {
    return at(topic, 0, KafkaPartitionSplit.EARLIEST_OFFSET);
  }

  private static KafkaPartitionSplit at(String topic, int partition, long next) {
    return new KafkaPartitionSplit(new TopicPartition(topic, partition), next);
  }

  /** Each in a batch of its own, so that they can be fetched one by one. */
  private static void write(String topic, int partition, int records) throws Exception {
    byte[] value = "1 0 0".getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer = Broker.producer(Map.of())) {
      for (int i = 0; i < records; i++) {
        producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
      }
    }
  }

  private static void delete(String topic, int partition, long before) throws Exception {
    Map<TopicPartition, RecordsToDelete> records =
        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before));
    try (Admin admin = Broker.admin()) {
      admin.deleteRecords(records).all().get();
    }
  }
}
