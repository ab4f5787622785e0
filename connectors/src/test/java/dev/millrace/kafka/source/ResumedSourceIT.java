package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.BoundedStateException;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.Topics;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Sources that go on from the state of a job that had an end, or none, where they have the other.
 */
class ResumedSourceIT {

  @Test
  void partitionsOfAJobWithoutEndGetOneFromABoundedJob() throws Exception {
    String topic = Broker.topic("resumed", 2);
    Broker.write(topic, 0, "1 0 0", "2 0 0", "3 0 0");
    Broker.write(topic, 1, "4 0 0");

    // Of partition 1 all was read.
    try (ReaderByHand reader = open(topic, true, at(topic, 0, 1), at(topic, 1, 1))) {
      assertThat(reader.readToTheEnd()).containsExactly("0@1", "0@2");
    }
  }

  @Test
  void anEndThatWasSavedStays() throws Exception {
    String topic = Broker.topic("ended", 1);
    Broker.write(topic, 0, "1 0 0", "2 0 0", "3 0 0");

    try (ReaderByHand reader =
        open(topic, true, new KafkaPartitionSplit(new TopicPartition(topic, 0), 0, 2))) {
      assertThat(reader.readToTheEnd()).containsExactly("0@0", "0@1");
    }
  }

  @Test
  void aTopicThatIsShorterThanWhatWasReadDoesntEndInSilence() throws Exception {
    String topic = Broker.topic("short", 1);
    Broker.write(topic, 0, "1 0 0");

    try (ReaderByHand reader = open(topic, true, at(topic, 0, 5))) {
      assertThatThrownBy(reader::readToTheEnd).isInstanceOf(LostRecordsException.class);
    }
  }

  @Test
  void aJobWithoutEndCantGoOnFromOneThatEnds() {
    String topic = Broker.topic("endless", 1);
    KafkaPartitionSplit ending = new KafkaPartitionSplit(new TopicPartition(topic, 0), 0, 2);

    assertThatThrownBy(() -> open(topic, false, ending).close())
        .isInstanceOf(BoundedStateException.class)
        .hasMessageContaining(topic + "-0");
  }

  private static ReaderByHand open(String topic, boolean bounded, KafkaPartitionSplit... splits)
      throws Exception {
    return new ReaderByHand(
        ExampleSource.of(
            SourceSettings.of(Broker.cluster(), Topics.named(List.of(topic))).bounded(bounded),
            new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.parse("1 kb"))),
        List.of(splits));
  }

  private static KafkaPartitionSplit at(String topic, int partition, long next) {
    return new KafkaPartitionSplit(new TopicPartition(topic, partition), next);
  }
}
