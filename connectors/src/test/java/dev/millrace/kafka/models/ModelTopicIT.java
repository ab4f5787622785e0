package dev.millrace.kafka.models;

import static dev.millrace.kafka.testing.Broker.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class ModelTopicIT {

  private final String topic = "models-" + UUID.randomUUID();

  @Test
  void theNewestModelIsReadWhole() throws IOException {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    try (ModelTopicWriter writer = ModelTopicWriter.open(cluster(), topic);
        ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      assertThat(poll(reader)).isEmpty();
      byte[] first = archive(1_300_000);
      writer.write("0.1", first);
      ModelTopicReader.Model read = poll(reader).orElseThrow();
      assertThat(read.version()).isEqualTo("0.1");
      assertThat(read.archive()).isEqualTo(first);
      assertThat(poll(reader)).isEmpty();

      writer.write("0.2", archive(700_000));
      byte[] third = archive(5);
      writer.write("0.3", third);
      assertThat(poll(reader).orElseThrow().archive()).isEqualTo(third);
    }
  }

  /** It holds as many records as the old one, at the same offsets. */
  @Test
  void aTopicThatWasMadeAgainIsReadFromItsBeginning() throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    try (ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      write("0.1", archive(1_300_000));
      assertThat(poll(reader)).isPresent();

      Broker.recreate(topic, 1);
      Broker.compact(topic);
      byte[] other = archive(1_200_000);
      write("0.2", other);

      assertThat(poll(reader).orElseThrow().archive()).isEqualTo(other);
    }
  }

  @Test
  void aModelThatWasntTakenIsGivenOutAgain() throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    write("0.1", archive(5));
    try (ModelTopicReader reader = ModelTopicReader.open(cluster(), topic, Duration.ofMillis(1))) {
      assertThatThrownBy(
              () ->
                  reader.poll(
                      model -> {
                        throw new IOException("The disk is full");
                      }))
          .hasMessage("The disk is full");

      await().atMost(Broker.LIMIT).until(() -> isTaken(reader));
      assertThat(poll(reader)).isEmpty();
    }
  }

  private static boolean isTaken(ModelTopicReader reader) {
    try {
      return poll(reader).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aTopicThatIsntThereYetIsWaitedFor() throws Exception {
    try (ModelTopicReader reader = ModelTopicReader.open(cluster(), topic)) {
      assertThat(poll(reader)).isEmpty();
      ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
      write("0.1", archive(5));
      await().atMost(Broker.LIMIT).until(() -> isTaken(reader));
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

  /** However many models others have written since it wrote last, and whoever they are. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriterNeverTouchesTheSlotInUse(boolean besideJob) throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    try (ModelTopicWriter job = ModelTopicWriter.open(cluster(), topic)) {
      job.write("0.1", archive(900_000));
      byte[] back = null;
      for (int others = 1; others <= 3; others++) {
        for (int i = 0; i < others; i++) {
          back = archive(800_000 + 10 * others + i);
          try (ModelTopicWriter other =
              besideJob
                  ? ModelTopicWriter.openBesideJob(cluster(), topic)
                  : ModelTopicWriter.open(cluster(), topic)) {
            other.write("0.%s".formatted(others), back);
          }
        }
        // What a job has written when it dies half way: all blocks, and no manifest.
        assertThat(job.writeBlocks("0.9", archive(900_000))).as("slot").isNotEmpty();
        assertThat(newest()).as("%d others", others).isEqualTo(back);
      }
    }
  }

  /** A person puts a model back in the middle of what a job writes, and the job goes on. */
  @Test
  void twoAtATimeNeverLeaveTheTopicWithoutAWholeModel() throws Exception {
    ModelTopic.ensure(cluster(), topic, Broker.LIMIT);
    byte[] first = archive(900_000);
    byte[] back = archive(700_000);
    byte[] next = archive(1_100_000);
    try (ModelTopicWriter job = ModelTopicWriter.open(cluster(), topic);
        ModelTopicWriter person = ModelTopicWriter.openBesideJob(cluster(), topic)) {
      job.write("0.2", first);
      String jobsSlot = job.writeBlocks("0.3", next);
      String personsSlot = person.writeBlocks("0.1", back);
      assertThat(newest()).isEqualTo(first);
      person.writeManifest(personsSlot, "0.1", back, null, true);
      assertThat(newest()).isEqualTo(back);
      job.writeManifest(jobsSlot, "0.3", next, null, false);
      assertThat(newest()).isEqualTo(next);
    }
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
      return poll(reader).orElseThrow().archive();
    }
  }

  private static Optional<ModelTopicReader.Model> poll(ModelTopicReader reader) throws IOException {
    AtomicReference<ModelTopicReader.Model> taken = new AtomicReference<>();
    assertThat(reader.poll(taken::set)).isEqualTo(taken.get() != null);
    return Optional.ofNullable(taken.get());
  }

  private static byte[] archive(int bytes) {
    byte[] archive = new byte[bytes];
    new Random(bytes).nextBytes(archive);
    return archive;
  }
}
