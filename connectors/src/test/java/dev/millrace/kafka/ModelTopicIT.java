package dev.millrace.kafka;

import static dev.millrace.kafka.testing.Broker.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class ModelTopicIT {

  private final String topic = "models-" + UUID.randomUUID();

  @Test
  void theNewestModelIsReadWhole() throws IOException {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    try (ModelTopicWriter writer = ModelTopicWriter.open(cluster(), topic);
        ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      assertThat(reader.poll()).isEmpty();
      byte[] first = archive(1_300_000);
      writer.write("0.1", first);
      ModelTopicReader.Model read = reader.poll().orElseThrow();
      assertThat(read.version()).isEqualTo("0.1");
      assertThat(read.archive()).isEqualTo(first);
      assertThat(reader.poll()).isEmpty();

      writer.write("0.2", archive(700_000));
      byte[] third = archive(5);
      writer.write("0.3", third);
      assertThat(reader.poll().orElseThrow().archive()).isEqualTo(third);
    }
  }

  /** It holds as many records as the old one, at the same offsets. */
  @Test
  void aTopicThatWasMadeAgainIsReadFromItsBeginning() throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    try (ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      write("0.1", archive(1_300_000));
      assertThat(reader.poll()).isPresent();

      Broker.recreate(topic, 1);
      Broker.compact(topic);
      byte[] other = archive(1_200_000);
      write("0.2", other);

      assertThat(reader.poll().orElseThrow().archive()).isEqualTo(other);
    }
  }

  private void write(String version, byte[] archive) {
    try (ModelTopicWriter writer = ModelTopicWriter.open(cluster(), topic)) {
      writer.write(version, archive);
    }
  }

  @Test
  void aWriterThatDiedHalfWayLeavesTheModelBeforeAndTheNextGoesOn() throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    byte[] whole = archive(1_300_000);
    try (ModelTopicWriter writer = ModelTopicWriter.open(cluster(), topic)) {
      writer.write("0.1", archive(900_000));
      writer.write("0.2", whole);
    }
    // The first model's slot was a, the second's b, so this one's is a again.
    try (KafkaProducer<byte[], byte[]> dying = Broker.producer(Map.of())) {
      ProducerRecord<byte[], byte[]> block =
          ModelRecords.blocks(topic, "a", "0.3", archive(1_000_000)).get(0);
      dying.send(block).get();
    }

    assertThat(newest()).isEqualTo(whole);
    byte[] next = archive(1_100_000);
    try (ModelTopicWriter writer = ModelTopicWriter.open(cluster(), topic)) {
      writer.write("1.3", next);
    }
    assertThat(newest()).isEqualTo(next);
  }

  @Test
  void aTopicThatDeletesByAgeIsRefused() {
    String deleting = Broker.topic("models", 1);

    assertThatThrownBy(() -> ModelTopic.ensure(cluster(), deleting, Broker.LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContainingAll(deleting, "cleanup.policy 'delete'", "kafka-configs.sh");
  }

  @Test
  void aTopicOfSeveralPartitionsIsRefused() {
    String wide = Broker.topic("models", 2);

    assertThatThrownBy(() -> ModelTopic.ensure(cluster(), wide, Broker.LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContainingAll(wide, "2 partitions");
  }

  private byte[] newest() throws IOException {
    try (ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      return reader.poll().orElseThrow().archive();
    }
  }

  private static byte[] archive(int bytes) {
    byte[] archive = new byte[bytes];
    new Random(bytes).nextBytes(archive);
    return archive;
  }
}
