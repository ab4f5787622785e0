package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Orders;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.registry.testing.SchemaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of named fields in every format, in jobs. */
class RecordFormatsIT {

  private static final int RECORDS = 240;

  @TempDir Path directory;

  @Test
  void theSameRecordsGiveTheSameModelInEveryFormat() throws Exception {
    Random random = new Random(5);
    List<Orders> orders = Stream.generate(() -> Orders.next(random)).limit(RECORDS).toList();
    float[] first = null;
    try (SchemaServer registry = SchemaServer.start()) {
      registry.put(Orders.SCHEMA_ID, Orders.SCHEMA);
      for (String format :
          List.of("json", "csv", "avro", "avro-confluent", "protobuf", "protobuf-confluent")) {
        String topic = Broker.topic(format, 1);
        Broker.produce(topic, 0, encode(orders, format));
        Job job = job(topic, format, registry).run();

        job.assertTookAll(topic, RECORDS);
        assertThat(job.description().ledger().get(0).rejected().count()).as(format).isZero();
        float[] vector = job.parameters();
        first = first == null ? vector : first;
        assertThat(vector).as(format).isEqualTo(first);
      }
    }
  }

  private static List<byte[]> encode(List<Orders> orders, String format) throws IOException {
    List<byte[]> values = new ArrayList<>();
    for (Orders order : orders) {
      values.add(order.encode(format));
    }
    return values;
  }

  @Test
  void aRunningJobFollowsTheWritersSchemaAndWaitsForARegistryThatIsDown() throws Exception {
    String topic = Broker.topic("evolving", 1);
    Random random = new Random(6);
    List<Orders> orders = Stream.generate(() -> Orders.next(random)).limit(16).toList();
    String newer =
        """
        {"type":"record","name":"Order","fields":[
          {"name":"added","type":"string"},
          {"name":"sum","type":"float","aliases":["amount"]},
          {"name":"country","type":["null","string"]},
          {"name":"repeated","type":"boolean"},{"name":"fraud","type":"boolean"}]}
        """;
    try (SchemaServer registry = SchemaServer.start()) {
      registry.put(Orders.SCHEMA_ID, Orders.SCHEMA);
      Broker.produce(topic, 0, encode(orders, "avro-confluent"));
      Job job =
          job(topic, "avro-confluent", registry)
              .set("input.bounded", "false")
              .set("batch.max-wait", "100 ms");
      JobClient client = job.start();
      job.await(() -> job.taken() == 16);

      registry.fail(503);
      int asked = registry.requests();
      byte[] record =
          Orders.avro(
              newer, "added", "?", "sum", 1.5f, "country", null, "repeated", true, "fraud", true);
      Broker.produce(
          topic,
          0,
          List.of(
              Orders.withHeader(8, record),
              Orders.withHeader(8, new byte[3]),
              Orders.withHeader(9, record)));
      job.await(() -> registry.requests() >= asked + 3);
      assertThat(job.taken()).as("nothing is taken while the registry is down").isEqualTo(16);
      String savepoint = job.stop(client, false);
      assertThat(job.taken()).isEqualTo(16);

      registry.put(8, newer);
      registry.fail(0);
      client = job.from(savepoint).start();
      job.await(() -> job.taken() == 19);
      job.stop(client, true);

      job.assertTookAll(topic, 19);
      assertThat(job.description().ledger().get(0).rejected().count())
          .as("bytes that the schema doesn't allow, and a schema that nobody has")
          .isEqualTo(2);
    }
  }

  @Test
  void aRegistryThatRefusesTheLoginIsNamedBeforeSubmission() throws Exception {
    String topic = Broker.topic("refused", 1);
    try (SchemaServer registry = SchemaServer.start()) {
      registry.require("Bearer token");
      Job job = job(topic, "avro-confluent", registry).set("input.registry.token", "wrong");

      assertThatThrownBy(job::check)
          .isInstanceOf(KafkaAccessException.class)
          .hasMessageContaining(registry.url())
          .hasMessageContaining("refuses the login (status 401)");
    }
  }

  private Job job(String topic, String format, SchemaServer registry) throws IOException {
    Path descriptors = Files.write(directory.resolve("order.desc"), Orders.descriptors());
    Job job =
        new Job(topic, directory.resolve(topic))
            .parallelism(1)
            .unset("input.features")
            .unset("input.outputs")
            .set("input.fields", Orders.FIELDS)
            .set("input.format", format)
            .set("input.outputs", "2");
    return switch (format) {
      case "csv" -> job.set("input.csv.columns", "amount;items;country;repeated;fraud");
      case "avro" -> job.set("input.schema", Orders.SCHEMA);
      case "avro-confluent" -> job.set("input.registry.url", registry.url());
      case "protobuf", "protobuf-confluent" ->
          job.set("input.schema", descriptors.toString())
              .set("input.protobuf.message", "shop.Order");
      default -> job;
    };
  }
}
