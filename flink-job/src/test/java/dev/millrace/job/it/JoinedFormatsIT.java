package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormats;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Joining;
import dev.millrace.job.testing.Orders;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.registry.testing.SchemaServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins of records that aren't JSON, and the training of what they write. */
class JoinedFormatsIT {

  private static final int EVENTS = 48;
  private static final int EVENT_SCHEMA = 3;

  private static final String EVENT =
      """
      {"type":"record","name":"Event","fields":[
        {"name":"id","type":"long"},
        {"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
        {"name":"amount","type":"float"},
        {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":30,"scale":2}},
        {"name":"shop","type":{"type":"record","name":"Shop","fields":[
          {"name":"country","type":["null","string"]}]}},
        {"name":"tags","type":{"type":"array","items":"string"}}]}
      """;

  /** As somebody describes the records that the join writes. */
  private static final String FIELDS =
      """
      [{"path":"amount","kind":"number","scale":"none","missing":0},
       {"path":"price","kind":"number","missing":0},
       {"path":"shop.country","kind":"category","values":["de","fr"]},
       {"path":"at","kind":"time","parts":["hour-of-day"]},
       {"path":"label","role":"label"}]
      """;

  @TempDir Path directory;

  private SchemaServer registry;

  @BeforeEach
  void start() throws IOException {
    registry = SchemaServer.start();
    registry.put(EVENT_SCHEMA, EVENT);
    registry.put(Orders.SCHEMA_ID, Orders.SCHEMA);
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  private final long begin = System.currentTimeMillis() - 600_000;

  /** The ids are beyond what a double holds. */
  private static long id(int number) {
    return (1L << 53) + 2L * number + 1;
  }

  private byte[] event(int schema, int number) throws IOException {
    byte[] record =
        Orders.avro(
            EVENT,
            "id",
            id(number),
            "at",
            (begin + number) * 1000 + 7,
            "amount",
            number / 10f,
            "price",
            ByteBuffer.wrap(price(number).unscaledValue().toByteArray()),
            "shop",
            shop(number),
            "tags",
            List.of("a", "b"));
    return Orders.withHeader(schema, record);
  }

  private static BigDecimal price(int number) {
    return new BigDecimal("12345678901234567000.10").add(BigDecimal.valueOf(number));
  }

  private static Object shop(int number) {
    GenericRecord shop =
        new GenericData.Record(new Schema.Parser().parse(EVENT).getField("shop").schema());
    shop.put("country", number % 3 == 0 ? null : number % 3 == 1 ? "de" : "fr");
    return shop;
  }

  private static String label(int number) {
    return "{\"event\":%s,\"fraud\":%s}".formatted(id(number), number % 2);
  }

  private Joining join() {
    return new Joining(directory)
        .set("join.key", "id")
        .set("join.labels.key", "event")
        .set("join.label", "fraud")
        .set("join.within", "1 h")
        .set("join.features.format", "avro-confluent")
        .set("input.registry.url", registry.url());
  }

  @Test
  void avroEventsAndJsonLabelsBecomeExamplesOfATrainingJob() throws Exception {
    Joining join = join();
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(event(EVENT_SCHEMA, i));
    }
    byte[] noId = Orders.next(new Random(1)).encode("avro-confluent");
    Broker.produce(join.features(), 0, events);
    Broker.produce(
        join.features(),
        1,
        List.of(
            Orders.withHeader(EVENT_SCHEMA, new byte[3]),
            Orders.withHeader(99, new byte[3]),
            "{}".getBytes(UTF_8),
            noId));
    Broker.write(
        join.labels(),
        2,
        IntStream.range(0, EVENTS).mapToObj(JoinedFormatsIT::label).toArray(String[]::new));

    join.run();

    Map<String, String> joined = new TreeMap<>();
    Broker.read(join.output(), 2, EVENTS)
        .forEach(
            record ->
                joined.put(new String(record.key(), UTF_8), new String(record.value(), UTF_8)));
    assertThat(joined.get(Long.toString(id(1))))
        .isEqualTo(
            ("{\"id\":9007199254740995,\"at\":%s,\"amount\":0.10000000149011612,"
                    + "\"price\":12345678901234567001.10,\"shop\":{\"country\":\"de\"},"
                    + "\"tags\":[\"a\",\"b\"],\"label\":1}")
                .formatted(begin + 1));
    assertThat(joined).hasSize(EVENTS);
    assertThat(Broker.read(join.deadLetters(), 1, 4))
        .extracting(
            record -> new String(record.headers().lastHeader("millrace.reason").value(), UTF_8))
        .satisfiesExactlyInAnyOrder(
            reason -> assertThat(reason).startsWith("not Avro of the writer's schema at byte"),
            reason -> assertThat(reason).startsWith("schema 99 can't be used"),
            reason -> assertThat(reason).startsWith("a header of 5 bytes"),
            reason -> assertThat(reason).startsWith("no key: \"id\" is not there"));
    assertThat(Broker.read(join.deadLetters(), 1, 4))
        .as("dead letters have the bytes that came")
        .anyMatch(record -> Arrays.equals(record.value(), noId));
    assertTrains(join.output(), events, joined);
  }

  /** By one description, of the joined records and of the events: so these can be scored. */
  private void assertTrains(String topic, List<byte[]> events, Map<String, String> joined)
      throws Exception {
    Job job =
        new Job(topic, directory.resolve("training"))
            .unset("input.features")
            .set("input.format", "json")
            .set("input.fields", FIELDS)
            .set("input.outputs", "2")
            .run();
    assertThat(job.description().ledger())
        .allSatisfy(partition -> assertThat(partition.rejected().count()).isZero());
    assertThat(job.taken()).isEqualTo(EVENTS);
    for (int i = 0; i < EVENTS; i++) {
      assertThat(features(FIELDS, "json", joined.get(Long.toString(id(i))).getBytes(UTF_8)))
          .isEqualTo(features(FIELDS, "avro-confluent", events.get(i)));
    }
  }

  private float[] features(String fields, String format, byte[] value) throws Exception {
    RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(fields, null));
    Map<String, String> options = new TreeMap<>(formatOptions(format));
    Example example = new Example(features.shape());
    new FieldFormat(RecordFormats.named(format, features.plan(), options), features)
        .read(value, example);
    return example.features();
  }

  @Test
  void eventsOfASchemaWaitForARegistryThatIsDown() throws Exception {
    Joining join = join().set("input.bounded", "false").set("join.before", "1 h");
    Broker.produce(join.features(), 0, List.of(event(EVENT_SCHEMA, 0)));
    Broker.write(join.labels(), 0, label(0), label(1));
    JobClient client = join.start();
    Broker.read(join.output(), 2, 1);

    registry.fail(503);
    int asked = registry.requests();
    Broker.produce(join.features(), 0, List.of(event(8, 1)));
    await().atMost(Job.LIMIT).until(() -> registry.requests() >= asked + 3);
    assertThat(Broker.read(join.output(), 2, 1)).as("what waits isn't joined").hasSize(1);
    assertThat(Broker.read(join.deadLetters())).as("nor put aside").isEmpty();
    String savepoint = join.stop(client);
    assertThatThrownBy(join::check)
        .as("before a submission")
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining(registry.url());

    registry.put(8, EVENT);
    registry.fail(0);
    client = join.from(savepoint).start();
    assertThat(Broker.read(join.output(), 2, 2)).hasSize(2);
    join.stop(client);
    assertThat(Broker.read(join.deadLetters())).isEmpty();
  }

  @Test
  void everyFormatIsJoinedAndReadsAsTheRecordsDo() throws Exception {
    Random random = new Random(5);
    List<Orders> orders = Stream.generate(() -> Orders.next(random)).limit(EVENTS).toList();
    List<byte[]> keys =
        IntStream.range(0, EVENTS).mapToObj(i -> ("k" + i).getBytes(UTF_8)).toList();
    for (String format : List.of("csv", "avro", "protobuf-confluent")) {
      Joining join =
          new Joining(directory.resolve(format))
              .set("join.within", "1 h")
              .set("join.label", "verdict")
              .set("join.features.format", format)
              .set("join.labels.format", "csv")
              .set("join.labels.csv.columns", "by;verdict");
      formatOptions(format)
          .forEach(
              (key, value) ->
                  join.set(
                      key.startsWith("registry") ? "input." + key : "join.features." + key,
                      key.equals("csv.columns") ? value.replace('\n', ';') : value));
      List<byte[]> values = new ArrayList<>();
      for (Orders order : orders) {
        values.add(order.encode(format));
      }
      Broker.produce(join.features(), 0, values, keys::get);
      List<byte[]> verdicts =
          orders.stream().map(order -> ("me," + order.fraud()).getBytes(UTF_8)).toList();
      Broker.produce(join.labels(), 0, verdicts, keys::get);

      join.run();

      Map<String, byte[]> joined = new TreeMap<>();
      Broker.read(join.output(), 2, EVENTS)
          .forEach(record -> joined.put(new String(record.key(), UTF_8), record.value()));
      for (int i = 0; i < EVENTS; i++) {
        byte[] json = joined.get("k" + i);
        assertThat(features(Orders.FIELDS, "json", json))
            .as(format)
            .isEqualTo(features(Orders.FIELDS, format, values.get(i)));
        assertThat(new String(json, UTF_8))
            .as(format)
            .endsWith(",\"label\":%s}".formatted(orders.get(i).fraud()));
      }
    }
  }

  private Map<String, String> formatOptions(String format) throws IOException {
    return switch (format) {
      case "csv" -> Map.of("csv.columns", "amount\nitems\ncountry\nrepeated\nfraud");
      case "avro" -> Map.of("schema", Orders.SCHEMA);
      case "avro-confluent" -> Map.of("registry.url", registry.url());
      case "protobuf", "protobuf-confluent" -> {
        Path file = Files.write(directory.resolve("order.desc"), Orders.descriptors());
        yield Map.of("schema", file.toString(), "protobuf.message", "shop.Order");
      }
      default -> Map.of();
    };
  }
}
