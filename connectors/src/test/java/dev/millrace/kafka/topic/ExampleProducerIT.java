package dev.millrace.kafka.topic;

import static dev.millrace.kafka.testing.Broker.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.kafka.Counting;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.source.TextFormat;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.local.broker.LocalBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class ExampleProducerIT {

  @Test
  void spreadsExamplesOverPartitionsInTurn() throws Exception {
    String topic = Broker.topic("produce", 3);
    List<Long> progress = new ArrayList<>();

    try (ExampleProducer producer = ExampleProducer.open(cluster(), topic, new TextFormat())) {
      assertThat(producer.send(new Counting(100), Rate.unlimited(), 7, progress::add)).isEqualTo(7);
    }

    assertThat(progress).last().isEqualTo(7L);
    assertThat(Broker.read(topic, 3, 7))
        .extracting(ExampleProducerIT::describe)
        .containsExactlyInAnyOrder(
            "0@0 example-0 0.0 0.0 0",
            "1@0 example-1 1.0 0.0 1",
            "2@0 example-2 2.0 0.0 2",
            "0@1 example-3 3.0 0.0 0",
            "1@1 example-4 4.0 0.0 1",
            "2@1 example-5 5.0 0.0 2",
            "0@2 example-6 6.0 0.0 0");
  }

  @Test
  void goesOnWhereAnEarlierRunEnded() throws Exception {
    String topic = Broker.topic("skip", 2);

    try (ExampleProducer producer = ExampleProducer.open(cluster(), topic, new TextFormat())) {
      Counting examples = new Counting(100);
      producer.skip(examples, 3);
      producer.send(examples, Rate.unlimited(), 2, n -> {});
      assertThat(producer.delivered()).isEqualTo(2);
    }

    assertThat(Broker.read(topic, 2, 2))
        .extracting(ExampleProducerIT::describe)
        .containsExactlyInAnyOrder("1@0 example-3 3.0 0.0 0", "0@0 example-4 4.0 0.0 1");
  }

  @Test
  void keepsToItsRate() throws Exception {
    String topic = Broker.topic("rate", 1);
    long start = System.nanoTime();

    try (ExampleProducer producer = ExampleProducer.open(cluster(), topic, new TextFormat())) {
      producer.send(new Counting(101), Rate.perSecond(200), Long.MAX_VALUE, n -> {});
    }

    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(500_000_000L);
  }

  @Test
  void endsWhenInterrupted() throws Exception {
    String topic = Broker.topic("interrupted", 1);
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    ExampleProducer producer = ExampleProducer.open(cluster(), topic, new TextFormat());
    Thread thread =
        new Thread(
            () -> {
              try (producer) {
                producer.send(new Counting(1_000_000), Rate.perSecond(1), Long.MAX_VALUE, n -> {});
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    thread.start();

    thread.interrupt();
    thread.join(Broker.LIMIT.toMillis());

    assertThat(thread.isAlive()).isFalse();
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void saysThatTheTopicIsMissing() {
    assertThatThrownBy(() -> ExampleProducer.open(cluster(), "nowhere", new TextFormat()))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'nowhere' at " + cluster().bootstrapServers());
  }

  @Test
  void saysWhatTheBrokerRefuses() {
    String topic = Broker.topic("refused", 1);
    ExampleFormat huge = new HugeFormat();
    KafkaCluster cluster =
        new KafkaCluster(cluster().bootstrapServers(), Map.of("max.request.size", "10000000"));

    assertThatThrownBy(
            () -> {
              try (ExampleProducer producer = ExampleProducer.open(cluster, topic, huge)) {
                producer.send(new Counting(3), Rate.unlimited(), Long.MAX_VALUE, n -> {});
              }
            })
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("can't take example 0 for the topic '" + topic)
        .hasMessageContaining("larger than");
  }

  @Test
  void refusesATopicOfAnotherShape() {
    String topic = Broker.topic("shape", 2);

    TopicCreation.ensure(cluster(), topic, 2, Broker.LIMIT);
    assertThatThrownBy(() -> TopicCreation.ensure(cluster(), topic, 4, Broker.LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("has 2 partitions, and not 4");
  }

  @Test
  void losesAndRepeatsNothingOverABrokerRestart(@TempDir Path directory) throws Exception {
    try (LocalBroker broker = LocalBroker.start(Broker.classPath(), directory)) {
      KafkaCluster cluster = KafkaCluster.at(broker.bootstrapServers());
      TopicCreation.ensure(cluster, "t", 2, Broker.LIMIT);
      AtomicBoolean restarted = new AtomicBoolean();
      try (ExampleProducer producer = ExampleProducer.open(cluster, "t", new TextFormat())) {
        producer.send(
            new Counting(2_000),
            Rate.perSecond(2_000),
            Long.MAX_VALUE,
            n -> {
              if (n > 0 && restarted.compareAndSet(false, true)) {
                broker.restart();
              }
            });
      }

      assertThat(restarted).isTrue();
      assertThat(Broker.read(cluster, "t", 2, 2_000))
          .extracting(record -> new String(record.key(), StandardCharsets.UTF_8))
          .doesNotHaveDuplicates()
          .hasSize(2_000);
    }
  }

  private static String describe(ConsumerRecord<byte[], byte[]> record) {
    return "%s@%s %s %s"
        .formatted(
            record.partition(),
            record.offset(),
            new String(record.key(), StandardCharsets.UTF_8),
            new String(record.value(), StandardCharsets.UTF_8));
  }

  private static final class HugeFormat implements ExampleFormat {
    @Override
    public void read(byte[] value, Example into) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] write(Example example) {
      return new byte[4_000_000];
    }
  }
}
