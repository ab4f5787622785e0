package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Received;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.Topics;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that are deleted and made again under their names. */
class RecreatedTopicIT {

  private static final int READ = 3;

  @ParameterizedTest
  @ValueSource(ints = {0, 2, READ, 5})
  void aTopicThatWasMadeAgainIsntTakenForTheOldOne(int records) throws Exception {
    String topic = Broker.topic("again", 1);
    List<KafkaPartitionSplit> savepoint = readAll(topic);
    String old = Broker.topicId(topic);
    Broker.recreate(topic, 1);
    write(topic, 0, records);

    assertThatThrownBy(() -> open(topic, RecreatedTopic.FAIL, savepoint).close())
        .isInstanceOf(RecreatedTopicException.class)
        .hasMessageContainingAll(
            "'%s'".formatted(topic),
            old,
            Broker.topicId(topic),
            "to offset %s of %s-0".formatted(READ, topic));
    try (ReaderByHand reader = open(topic, RecreatedTopic.EARLIEST, savepoint)) {
      if (records > 0) {
        assertThat(reader.read(records)).isEqualTo(offsets(0, records));
        assertThat(reader.topicIds()).containsExactly(Broker.topicId(topic));
      }
      assertThat(reader.checkpoint()).containsExactly(at(topic, 0, records));
      assertThat(TopicSplit.topicId(reader.checkpoint().get(0))).isEqualTo(Broker.topicId(topic));
      assertThat(reader.missed()).isZero();
    }
  }

  @Test
  void aTopicThatHoldsTheSameIsReadOn() throws Exception {
    String topic = Broker.topic("linked", 1);
    List<KafkaPartitionSplit> savepoint = readAll(topic);
    Broker.recreate(topic, 1);
    write(topic, 0, READ + 2);

    try (ReaderByHand reader = open(topic, RecreatedTopic.CONTINUE, savepoint)) {
      assertThat(reader.read(2)).isEqualTo(offsets(READ, READ + 2));
      assertThat(reader.topicIds()).containsExactly(Broker.topicId(topic));
    }
  }

  @Test
  void aCheckpointHasNoRecordOfATopicThatWasMadeAgainWhileItWasRead() throws Exception {
    String topic = Broker.topic("meanwhile", 1);
    write(topic, 0, READ);
    String old = Broker.topicId(topic);
    try (ReaderByHand reader = open(topic, RecreatedTopic.FAIL, List.of(at(topic, 0, 0)))) {
      reader.read(READ);
      assertThat(reader.checkpoint()).containsExactly(at(topic, 0, READ));

      Broker.recreate(topic, 1);
      write(topic, 0, READ + 2);

      assertThatThrownBy(
              () -> {
                // Kafka's client takes it for the old one, unless it saw it while it was short.
                reader.read(2);
                reader.checkpoint();
              })
          .isInstanceOf(RecreatedTopicException.class)
          .hasMessageContainingAll(old, Broker.topicId(topic), "to offset");
    }
  }

  @Test
  void aShorterTopicThatIsMadeWhileItIsReadIsToldOfAsAnother() throws Exception {
    String topic = Broker.topic("shorter", 1);
    write(topic, 0, READ);
    try (ReaderByHand reader = open(topic, RecreatedTopic.FAIL, List.of(at(topic, 0, 0)))) {
      reader.read(READ);

      Broker.recreate(topic, 1);
      write(topic, 0, 1);

      assertThatThrownBy(() -> reader.read(1)).isInstanceOf(RecreatedTopicException.class);
    }
  }

  /** The partitions that aren't there yet are read when they are made. */
  @Test
  void aTopicWithFewerPartitionsIsReadFromItsBeginningToo() throws Exception {
    String topic = Broker.topic("fewer", 2);
    write(topic, 0, READ);
    write(topic, 1, READ);
    List<KafkaPartitionSplit> savepoint;
    try (ReaderByHand reader =
        open(topic, RecreatedTopic.FAIL, List.of(at(topic, 0, 0), at(topic, 1, 0)))) {
      reader.read(2 * READ);
      savepoint = reader.checkpoint();
    }
    Broker.recreate(topic, 1);
    write(topic, 0, 2);

    try (ReaderByHand reader = open(topic, RecreatedTopic.EARLIEST, savepoint)) {
      assertThat(reader.read(2)).isEqualTo(offsets(0, 2));
      Broker.addPartitions(topic, 2);
      write(topic, 1, 1);
      assertThat(reader.read(1)).containsExactly("1@0");
    }
  }

  private static List<KafkaPartitionSplit> readAll(String topic) throws Exception {
    write(topic, 0, READ);
    try (ReaderByHand reader = open(topic, RecreatedTopic.FAIL, List.of(at(topic, 0, 0)))) {
      assertThat(reader.read(READ)).isEqualTo(offsets(0, READ));
      assertThat(reader.topicIds()).containsExactly(Broker.topicId(topic));
      return reader.checkpoint();
    }
  }

  private static ReaderByHand open(
      String topic, RecreatedTopic rule, List<KafkaPartitionSplit> splits) throws Exception {
    Source<Received, ?, ?> source =
        ExampleSource.of(
            SourceSettings.of(Broker.cluster(), Topics.named(List.of(topic)))
                .inGroup(topic)
                .onRecreatedTopic(rule),
            new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.parse("1 kb")));
    return new ReaderByHand(source, splits);
  }

  private static KafkaPartitionSplit at(String topic, int partition, long next) {
    return new KafkaPartitionSplit(new TopicPartition(topic, partition), next);
  }

  private static List<String> offsets(int from, int to) {
    return IntStream.range(from, to).mapToObj(offset -> "0@" + offset).toList();
  }

  private static void write(String topic, int partition, int records) throws Exception {
    Broker.write(
        topic,
        partition,
        IntStream.range(0, records).mapToObj(any -> "1 0 0").toArray(String[]::new));
  }
}
