package dev.millrace.kafka.sink;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.sink.LostLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Lines of text as records of a topic, such as the metrics of a job.
 *
 * <p>Each line is one record, UTF-8, without a key. After a failure, lines since the last
 * checkpoint may be there twice. A line that brokers refuse, that is too long for them, or that
 * they can't take within half a minute, is counted as {@code numRecordsSendErrors} and told in the
 * log.
 */
public final class LineTopic implements Sink<String> {

  private static final long serialVersionUID = 1;

  /** Brokers take 1 MB a record unless told otherwise. */
  public static final int MAX_LINE_BYTES = 900_000;

  /** What holds up training where no broker answers, and how long lines are lost unasked then. */
  private static final Duration BLOCKED = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofSeconds(10);

  private static final Map<String, String> DEFAULTS =
      Map.of(
          // The broker may be making the topic just now: see TopicCreation.
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          "1",
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          Long.toString(BLOCKED.toMillis()),
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          "30000",
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          "10000",
          ProducerConfig.CLIENT_ID_CONFIG,
          "millrace-metrics");

  private final KafkaCluster cluster;
  private final String topic;

  private LineTopic(KafkaCluster cluster, String topic) {
    this.cluster = cluster;
    this.topic = topic;
  }

  public static Sink<String> sink(KafkaCluster cluster, String topic) {
    return new LineTopic(cluster, topic);
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) {
    return open(context.metricGroup().getNumRecordsSendErrorsCounter());
  }

  /**
   * @param lost counts lines that couldn't be written
   */
  SinkWriter<String> open(Counter lost) {
    return new Writer(
        topic,
        new KafkaProducer<>(
            cluster.clientProperties(DEFAULTS),
            new ByteArraySerializer(),
            new ByteArraySerializer()),
        new LostLines("The topic '" + topic + "'", lost));
  }

  private static final class Writer implements SinkWriter<String> {

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final LostLines lost;
    private boolean isPaused;
    private long paused;

    Writer(String topic, KafkaProducer<byte[], byte[]> producer, LostLines lost) {
      this.topic = topic;
      this.producer = producer;
      this.lost = lost;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback is told what became of it.
    @Override
    public void write(String line, Context context) {
      byte[] value = line.getBytes(StandardCharsets.UTF_8);
      if (value.length > MAX_LINE_BYTES) {
        lost.add(
            String.format(
                Locale.ROOT,
                "it has %,d bytes, and %,d are sent at most",
                value.length,
                MAX_LINE_BYTES));
        return;
      }
      if (isPaused && System.nanoTime() - paused < PAUSE.toNanos()) {
        lost.add("no broker could be asked a moment ago");
        return;
      }
      try {
        long before = System.nanoTime();
        // With the time of writing: with that of the data, retention might delete it.
        producer.send(
            new ProducerRecord<>(topic, value),
            (metadata, failure) -> {
              if (failure != null) {
                lost.add(failure.toString());
              }
            });
        paused = System.nanoTime();
        isPaused = paused - before >= BLOCKED.toNanos();
      } catch (KafkaException e) {
        lost.add(e.toString());
      }
    }

    /** Returns when brokers have all lines, or these are lost. */
    @Override
    public void flush(boolean endOfInput) {
      producer.flush();
    }

    @Override
    public void close() {
      producer.close(Duration.ZERO);
    }
  }
}
