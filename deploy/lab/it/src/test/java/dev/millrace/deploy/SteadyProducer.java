package dev.millrace.deploy;

import dev.millrace.digits.Digits;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Sends drawn digits to a topic at a steady rate until it is closed. */
final class SteadyProducer implements AutoCloseable {

  private static final int MORE_THAN_ANY_TEST_TAKES = 10_000_000;

  private final KafkaCluster kafka;
  private final String topic;
  private final Thread thread;
  private final CompletableFuture<Long> sent = new CompletableFuture<>();

  private SteadyProducer(KafkaCluster kafka, String topic, double examplesASecond) {
    this.kafka = kafka;
    this.topic = topic;
    this.thread =
        new Thread(
            () -> {
              try {
                sent.complete(send(kafka, topic, examplesASecond));
              } catch (Exception e) {
                sent.completeExceptionally(e);
              }
            },
            "producer-" + topic);
  }

  static SteadyProducer start(KafkaCluster kafka, String topic, double examplesASecond) {
    SteadyProducer producer = new SteadyProducer(kafka, topic, examplesASecond);
    producer.thread.start();
    return producer;
  }

  private static long send(KafkaCluster kafka, String topic, double examplesASecond)
      throws Exception {
    ExampleSet digits = new Digits(MORE_THAN_ANY_TEST_TAKES, 2).open();
    ExampleFormat format = ExampleFormat.named("uint8", digits.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = digits.training();
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      return producer.send(examples, Rate.perSecond(examplesASecond), Long.MAX_VALUE, soFar -> {});
    }
  }

  /** Ends it; how many examples the topic has. */
  long end() {
    close();
    // The producer doesn't know of all: some were under way when it was interrupted.
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    sent.join();
  }
}
