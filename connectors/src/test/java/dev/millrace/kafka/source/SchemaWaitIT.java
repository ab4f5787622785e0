package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormats;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.registry.testing.SchemaServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader whose records' schemas are in a registry that fails. */
@Timeout(120)
class SchemaWaitIT {

  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"x\",\"type\":\"double\"},"
          + "{\"name\":\"y\",\"type\":\"double\"}]}";

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordsWaitWithoutBlockingTheTask(boolean failOnLostRecords) throws Exception {
    String topic = Broker.topic("waiting", 1);
    Broker.produce(topic, 0, values(5));
    try (SchemaServer server = SchemaServer.start()) {
      server.fail(503);
      try (ReaderByHand reader = reader(topic, server, failOnLostRecords)) {
        Awaitility.await()
            .atMost(Broker.LIMIT)
            .until(
                () -> {
                  assertThat(reader.pollOnce()).isEqualTo(InputStatus.NOTHING_AVAILABLE);
                  return server.requests() >= 3;
                });
        assertThat(reader.checkpoint())
            .as("checkpoints go on, and hold the records to be read again")
            .extracting(KafkaPartitionSplit::getStartingOffset)
            .containsExactly(0L);
        assertThat(reader.schemaWaitMillis()).isGreaterThan(0);

        server.put(7, SCHEMA);
        server.fail(0);

        assertThat(reader.readToTheEnd()).containsExactly("0@0", "0@1", "0@2", "0@3", "0@4");
        long waited = reader.schemaWaitMillis();
        assertThat(reader.schemaWaitMillis()).as("it counts no further").isEqualTo(waited);
      }
    }
  }

  /** One that couldn't would wait for ever: the registry never has the schema. */
  @Test
  void aReaderThatWaitsCanBeClosed() throws Exception {
    String topic = Broker.topic("waiting", 1);
    Broker.produce(topic, 0, values(1));
    try (SchemaServer server = SchemaServer.start()) {
      server.fail(401);
      try (ReaderByHand reader = reader(topic, server, true)) {
        Awaitility.await()
            .atMost(Broker.LIMIT)
            .until(
                () -> {
                  reader.pollOnce();
                  return server.requests() >= 1;
                });
      }
    }
  }

  private static ReaderByHand reader(String topic, SchemaServer server, boolean fail)
      throws Exception {
    FieldsDescription fields =
        FieldsDescription.parse(
            "[{\"path\":\"x\",\"kind\":\"number\"},{\"path\":\"y\",\"role\":\"label\"}]", null);
    ExampleShape shape = fields.shape(Target.REGRESSION, 1);
    RecordFeatures features = RecordFeatures.labelled(fields, shape, List.of());
    FieldFormat format =
        new FieldFormat(
            RecordFormats.named(
                "avro-confluent", features.plan(), Map.of("registry.url", server.url())),
            features);
    SourceSettings settings =
        SourceSettings.of(Broker.cluster(), Topics.named(List.of(topic)))
            .bounded(true)
            .failingOnLostRecords(fail);
    return new ReaderByHand(
        ExampleSource.of(
            settings, new ExampleDeserializer(shape, format, MemorySize.parse("1 mb"))),
        List.of(new KafkaPartitionSplit(new TopicPartition(topic, 0), 0, 5)));
  }

  private static List<byte[]> values(int count) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Avro is little-endian; zeros are doubles in either order.
      values.add(ByteBuffer.allocate(21).put((byte) 0).putInt(7).array());
    }
    return values;
  }
}
