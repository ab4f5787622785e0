package dev.millrace.deploy.monitoring;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic that examples keep arriving at, and now and then a record that is none. */
final class Feed implements AutoCloseable {

  static final ExampleShape SHAPE = new ExampleShape(4, 2, Target.CLASSIFICATION);
  static final String FORMAT = "float32";

  private static final int BATCH = 25;
  private static final long INTERVAL_MILLIS = 50;

  private final String topic;
  private final ExampleFormat format =
      ExampleFormat.named(FORMAT, SHAPE, FormatSettings.defaults());
  private final Random random = new Random(1);
  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  private Feed(String bootstrapServers, String topic) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Feeds a topic until it is closed. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails shows in a job that stands still.
  static Feed start(String bootstrapServers, String topic) {
    Feed feed = new Feed(bootstrapServers, topic);
    feed.clock.scheduleAtFixedRate(feed::sendBatch, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    return feed;
  }

  private void sendBatch() {
    for (int i = 0; i < BATCH; i++) {
      send(example());
    }
    send("no example".getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // As above.
  private void send(byte[] value) {
    producer.send(new ProducerRecord<>(topic, value));
  }

  private byte[] example() {
    Example example = new Example(SHAPE);
    int label = random.nextInt(SHAPE.outputs());
    for (int i = 0; i < SHAPE.features(); i++) {
      example.features()[i] = (float) random.nextGaussian() + label;
    }
    example.setClass(label);
    return format.write(example);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
