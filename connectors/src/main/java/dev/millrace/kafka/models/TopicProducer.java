package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import dev.millrace.kafka.sink.OutputRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records, and waits until brokers have them.
 *
 * <p>Not thread-safe.
 */
public final class TopicProducer implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Map<String, String> DEFAULTS =
      Map.of(
          ProducerConfig.ACKS_CONFIG,
          "all",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          Long.toString(LIMIT.toMillis()),
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          Long.toString(LIMIT.toMillis() / 3),
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          Long.toString(LIMIT.toMillis()),
          // Somebody waits for each of them.
          ProducerConfig.LINGER_MS_CONFIG,
          "0");

  private final KafkaCluster cluster;
  private final String topic;
  private final String content;
  private final KafkaProducer<byte[], byte[]> producer;

  private TopicProducer(
      KafkaCluster cluster, String topic, String content, KafkaProducer<byte[], byte[]> producer) {
    this.cluster = cluster;
    this.topic = topic;
    this.content = content;
    this.producer = producer;
  }

  /**
   * Opens one.
   *
   * @param client its name, for the brokers
   * @param content what it sends, for messages: {@code a model}
   * @throws KafkaAccessException if the options of Kafka's client are no good
   */
  public static TopicProducer open(
      KafkaCluster cluster, String topic, String client, String content) {
    Map<String, String> defaults = new HashMap<>(DEFAULTS);
    defaults.put(ProducerConfig.CLIENT_ID_CONFIG, client);
    try {
      return new TopicProducer(
          cluster,
          topic,
          content,
          new KafkaProducer<>(
              cluster.clientProperties(defaults),
              new ByteArraySerializer(),
              new ByteArraySerializer()));
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "open a producer", LIMIT, e);
    }
  }

  /**
   * Sends all, and returns when brokers have them.
   *
   * @return the offset of the last one
   * @throws KafkaAccessException if that fails; some may have got through
   */
  long send(List<ProducerRecord<byte[], byte[]>> records) {
    try {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      records.forEach(record -> sent.add(producer.send(record)));
      producer.flush();
      long last = -1;
      for (Future<RecordMetadata> one : sent) {
        last = one.get().offset();
      }
      return last;
    } catch (KafkaException e) {
      throw failed(e);
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAccessException(
          "Interrupted while writing %s to %s".formatted(content, topic), e);
    }
  }

  /**
   * Sends records to their own topics, without headers, as {@link #send} does.
   *
   * @throws KafkaAccessException if that fails; some may have got through
   */
  public void sendAll(List<OutputRecord> records) {
    long unused =
        send(
            records.stream()
                .map(one -> new ProducerRecord<>(one.topic(), one.keyOrNull(), one.valueOrNull()))
                .toList());
  }

  private KafkaAccessException failed(Throwable cause) {
    return KafkaFailure.explain(
        cluster, "write %s to '%s'".formatted(content, topic), LIMIT, cause);
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
