package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program with a Kafka source of its own learns what the job of options learns. */
class KafkaSourceIT {

  private static final int REPLICAS = 2;
  private static final int EACH = 2_000;
  private static final int FAULTS = 7;
  private static final byte[] BAD = "no example".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  private String topic;

  /** A record of a program's own. */
  public record Order(String topic, int partition, long offset, byte[] value) {}

  @BeforeEach
  void produce() throws Exception {
    topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      List<byte[]> values = new ArrayList<>(Blobs.encode(new Blobs(partition).next(EACH)));
      for (int offset = 5; offset < EACH; offset += 13) {
        values.set(offset, BAD);
      }
      Broker.produce(topic, partition, values);
    }
  }

  /** Bit by bit, over failures at all places; its ledger has Kafka's offsets. */
  @Test
  void disturbedItEndsAsTheUndisturbedJobOfOptions() throws Exception {
    Job reference =
        new Job(topic, directory.resolve("reference"))
            .parallelism(REPLICAS)
            .set("exchange.schedule", "sync")
            .run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, 12);
    Path models = directory.resolve("models");

    StreamExecutionEnvironment environment = ApiJob.environment(REPLICAS);
    Millrace.train(
        environment,
        source(),
        (order, to) ->
            read(order.value(), to).position(order.topic(), order.partition(), order.offset()),
        ApiJob.options(models, "sync").build(),
        faults);
    environment.execute();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    LedgerCheck.requireAll(ApiJob.description(models), topic, EACH, EACH);
    assertThat(ApiJob.vector(models)).as("seed %d", seed).isEqualTo(reference.trained().vector());
  }

  /** Without a place of the mapper's, places are the splits, and each is numbered from 0. */
  @Test
  void placesAreSplitsWhereTheMapperNamesNone() throws Exception {
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(REPLICAS);
    Millrace.train(
        environment,
        source(),
        (order, to) -> read(order.value(), to),
        ApiJob.options(models, "overlap").build());
    environment.execute();

    for (int partition = 0; partition < REPLICAS; partition++) {
      LedgerCheck.requireAll(ApiJob.description(models), topic + "-" + partition, EACH);
    }
  }

  private KafkaSource<Order> source() {
    return KafkaSource.<Order>builder()
        .setBootstrapServers(Broker.cluster().bootstrapServers())
        .setTopics(topic)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setBounded(OffsetsInitializer.latest())
        .setDeserializer(new Orders())
        .build();
  }

  private static ExampleWriter read(byte[] value, ExampleWriter to) {
    Example example = new Example(Blobs.SHAPE);
    try {
      ExampleFormat.named("float32", Blobs.SHAPE, FormatSettings.defaults()).read(value, example);
    } catch (InvalidExampleException e) {
      return to.reject(e.getMessage());
    }
    return to.features(example.features()).labels(example.labels());
  }

  private static final class Orders implements KafkaRecordDeserializationSchema<Order> {

    private static final long serialVersionUID = 1;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<Order> out) {
      out.collect(
          new Order(message.topic(), message.partition(), message.offset(), message.value()));
    }

    @Override
    public TypeInformation<Order> getProducedType() {
      return TypeInformation.of(Order.class);
    }
  }
}
