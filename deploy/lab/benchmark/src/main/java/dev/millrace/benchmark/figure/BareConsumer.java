package dev.millrace.benchmark.figure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka's own consumers, one for each partition, that count records; what else they do is told. */
final class BareConsumer {

  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * The share of the records that isn't measured: connections are made, and the compiler is at
   * work.
   */
  private static final double WARM_UP = 0.3;

  private BareConsumer() {}

  /**
   * @param count records of the topic, dealt out evenly
   */
  static double recordsPerSecond(
      String bootstrapServers, String topic, int partitions, long count) {
    return recordsPerSecond(bootstrapServers, topic, partitions, count, () -> value -> {});
  }

  /**
   * @param count records of the topic, dealt out evenly
   * @param work makes for each consumer what it does with every value
   */
  static double recordsPerSecond(
      String bootstrapServers,
      String topic,
      int partitions,
      long count,
      Supplier<Consumer<byte[]>> work) {
    List<CompletableFuture<Double>> rates =
        IntStream.range(0, partitions)
            .mapToObj(
                partition ->
                    CompletableFuture.supplyAsync(
                        () ->
                            rate(
                                bootstrapServers,
                                new TopicPartition(topic, partition),
                                count / partitions,
                                work.get())))
            .toList();
    return rates.stream().mapToDouble(CompletableFuture::join).sum();
  }

  private static double rate(
      String bootstrapServers, TopicPartition partition, long count, Consumer<byte[]> work) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long read = 0;
      while (read < WARM_UP * count) {
        read += poll(consumer, work);
      }
      long before = read;
      long start = System.nanoTime();
      while (read < count) {
        read += poll(consumer, work);
      }
      return (read - before) * 1e9 / (System.nanoTime() - start);
    }
  }

  private static int poll(KafkaConsumer<byte[], byte[]> consumer, Consumer<byte[]> work) {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
    records.forEach(record -> work.accept(record.value()));
    return records.count();
  }
}
