package dev.millrace.kafka.topic;

import dev.millrace.example.ExampleFormat;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.RecordSequence;
import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.KafkaFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes examples to a topic: example i goes to partition i modulo their number, so that the same
 * examples make the same topic. The key is the example's id, where it has one. Records carry the
 * time of writing: with the examples' own, a topic's retention would delete old data as it arrives.
 *
 * <p>Not thread-safe.
 */
public final class ExampleProducer implements AutoCloseable {

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);
  private static final Duration DELIVERY_LIMIT = Duration.ofSeconds(30);
  private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(200);

  private static final Map<String, String> DEFAULTS =
      Map.of(
          ProducerConfig.LINGER_MS_CONFIG,
          "20",
          ProducerConfig.BATCH_SIZE_CONFIG,
          "262144",
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          Long.toString(REQUEST_LIMIT.toMillis()),
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          Long.toString(DELIVERY_LIMIT.toMillis()),
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          Long.toString(DELIVERY_LIMIT.toMillis()),
          ProducerConfig.CLIENT_ID_CONFIG,
          "millrace-produce");

  private final KafkaCluster cluster;
  private final String topic;

  /** Null where records are sent as they are. */
  private final ExampleFormat format;

  private final int partitions;
  private final KafkaProducer<byte[], byte[]> producer;

  private final AtomicLong delivered = new AtomicLong();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private long sent;

  private ExampleProducer(
      KafkaCluster cluster, String topic, ExampleFormat format, int partitions) {
    this.cluster = cluster;
    this.topic = topic;
    this.format = format;
    this.partitions = partitions;
    this.producer =
        new KafkaProducer<>(
            cluster.clientProperties(DEFAULTS),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Opens a producer to a topic that is there; {@link TopicCreation} makes one.
   *
   * @throws KafkaAccessException if it isn't, or the cluster can't be used
   */
  public static ExampleProducer open(KafkaCluster cluster, String topic, ExampleFormat format) {
    return make(cluster, topic, Objects.requireNonNull(format, "format"));
  }

  /** Opens a producer of records that are sent as they are. */
  public static ExampleProducer open(KafkaCluster cluster, String topic) {
    return make(cluster, topic, null);
  }

  private static ExampleProducer make(
      KafkaCluster cluster, String topic, ExampleFormat formatOrNull) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, REQUEST_LIMIT)) {
      int partitions =
          TopicCreation.partitions(connection, topic)
              .orElseThrow(
                  () ->
                      new KafkaAccessException(
                          "There is no topic '%s' at %s to write to. Create it, or correct its name"
                              .formatted(topic, cluster.bootstrapServers())));
      return new ExampleProducer(cluster, topic, formatOrNull, partitions);
    } catch (KafkaException e) {
      throw KafkaFailure.explain(cluster, "open a producer", REQUEST_LIMIT, e);
    }
  }

  /**
   * Passes over records that were sent before; those that follow go to the partitions that they
   * would have gone to.
   *
   * @throws IOException if the records can't be read
   */
  public void skip(RecordSequence records, long count) throws IOException {
    for (long left = count; left > 0 && records.skip(); left--) {
      sent++;
    }
  }

  /** Passes over examples that were sent before, as over records. */
  @SuppressWarnings("resource") // Whoever opened the examples closes them.
  public void skip(ExampleSequence examples, long count) throws IOException {
    skip(RecordSequence.of(examples, format), count);
  }

  /** Returns how many examples brokers have. */
  public long delivered() {
    return delivered.get();
  }

  /**
   * Sends the examples and returns when brokers have all of them. An interrupt ends it early, and
   * stays set.
   *
   * @param limit sends no more than that many
   * @param progress is told now and then, and at the end, how many examples brokers have so far,
   *     those of earlier calls included
   * @return that number
   * @throws KafkaAccessException if the cluster refuses a record, or is gone for half a minute
   * @throws IOException if the examples can't be read; brokers have all before
   */
  @SuppressWarnings("resource") // Whoever opened the examples closes them.
  public long send(ExampleSequence examples, Rate rate, long limit, LongConsumer progress)
      throws IOException {
    return send(RecordSequence.of(examples, format), rate, limit, progress);
  }

  /** Sends records, as they are, and returns when brokers have all of them. */
  public long send(RecordSequence records, Rate rate, long limit, LongConsumer progress)
      throws IOException {
    long start = System.nanoTime();
    long nextProgress = start;
    try {
      for (long index = 0; index < limit && records.next(); index++) {
        if (!await(start + rate.due(index).toNanos())) {
          break;
        }
        send(records);
        if (System.nanoTime() - nextProgress >= 0) {
          nextProgress = System.nanoTime() + PROGRESS_INTERVAL.toNanos();
          progress.accept(delivered.get());
        }
      }
      producer.flush();
    } catch (InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      producer.flush();
      throw e;
    } catch (KafkaException e) {
      failure.compareAndSet(null, e);
    }
    requireNoFailure();
    progress.accept(delivered.get());
    return delivered.get();
  }

  /** Ends when brokers have what was sent, or at once if the thread is interrupted. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    producer.close(interrupted || failure.get() != null ? Duration.ZERO : DELIVERY_LIMIT);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until {@code due}; false if interrupted. */
  private static boolean await(long due) {
    long wait = due - System.nanoTime();
    while (wait > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(wait);
      wait = due - System.nanoTime();
    }
    return !Thread.currentThread().isInterrupted();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of it.
  private void send(RecordSequence record) {
    requireNoFailure();
    int partition = (int) (sent++ % partitions);
    producer.send(
        new ProducerRecord<>(topic, partition, record.key(), record.value()), this::completed);
  }

  /** Called on the producer's own thread. */
  private void completed(RecordMetadata metadata, Exception exception) {
    if (exception == null) {
      delivered.incrementAndGet();
    } else {
      failure.compareAndSet(null, exception);
    }
  }

  private void requireNoFailure() {
    if (failure.get() != null) {
      throw KafkaFailure.explain(
          cluster,
          "take example %s for the topic '%s'".formatted(delivered.get(), topic),
          DELIVERY_LIMIT,
          failure.get());
    }
  }
}
