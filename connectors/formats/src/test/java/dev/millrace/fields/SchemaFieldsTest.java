package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.registry.testing.SchemaServer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fields as schemas of a registry describe them, and JSON that begins with a schema's id. */
class SchemaFieldsTest {

  private SchemaServer registry;

  @BeforeEach
  void start() throws Exception {
    registry = SchemaServer.start();
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  @Test
  void avroTellsNamesWordsTimesAndWhatMayBeMissing() {
    registry.put(
        7,
        """
        {"type": "record", "name": "Order", "fields": [
          {"name": "amount", "type": ["null", "double"]},
          {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
          {"name": "changed", "type": {"type": "long", "connect.name": "io.debezium.time.MicroTimestamp"}},
          {"name": "exact", "type": {"type": "long", "connect.name": "io.debezium.time.NanoTimestamp"}},
          {"name": "due", "type": ["null", {"type": "int", "connect.name": "io.debezium.time.Date"}]},
          {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "OLD"]}},
          {"name": "buyer", "type": {"type": "record", "name": "Buyer", "fields": [
            {"name": "age", "type": "int"},
            {"name": "parent", "type": ["null", "Buyer"]}]}},
          {"name": "items", "type": {"type": "array", "items": "string"}}]}
        """);

    assertThat(fields("avro-confluent"))
        .containsExactly(
            "amount VALUE [] null",
            "at MILLISECONDS []",
            "changed MICROSECONDS []",
            "exact NANOSECONDS []",
            "due DAYS [] null",
            "state VALUE [NEW, OLD]",
            "buyer.age VALUE []",
            "buyer.parent OTHER [] null",
            "items OTHER []");
  }

  @Test
  void jsonSchemaTellsThem() {
    registry.putAnswer(
        "/schemas/ids/7",
        new JsonMapper()
            .createObjectNode()
            .put("schemaType", "JSON")
            .put(
                "schema",
                """
                {"type": "object", "required": ["amount"],
                 "definitions": {"Buyer": {"type": "object", "properties": {"age": {"type": "integer"}}}},
                 "properties": {
                   "amount": {"type": "number"},
                   "state": {"oneOf": [{"type": "null"}, {"enum": ["NEW", "OLD"]}]},
                   "buyer": {"$ref": "#/definitions/Buyer"},
                   "items": {"type": "array"}}}
                """)
            .toString());

    assertThat(fields("json-confluent"))
        .containsExactly(
            "amount VALUE []",
            "state VALUE [NEW, OLD] null",
            "buyer.age VALUE [] null",
            "items OTHER [] null");
  }

  @Test
  void saysWhyASchemaCantBeHad() {
    registry.goDown();

    assertThatThrownBy(() -> fields("json-confluent"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Schema 7 can't be had: The schema registry at ");
  }

  @Test
  void jsonIsReadBehindTheId() throws Exception {
    FieldPlan plan = new FieldPlan(List.of(FieldPath.of("a.b")), Optional.empty(), List.of());
    FieldValues values = new FieldValues(plan);

    RecordFormats.named("json-confluent", plan, Map.of()).read(value("{\"a\":{\"b\":5}}"), values);

    assertThat(values.longAt(0)).isEqualTo(5);
    for (String format : List.of("json", "csv")) {
      FieldPlan column =
          new FieldPlan(List.of(new FieldPath(List.of(0))), Optional.empty(), List.of());
      assertThatThrownBy(
              () ->
                  RecordFormats.named(format, column, Map.of())
                      .read(value("{\"a\":1}"), new FieldValues(column)))
          .hasMessage(
              "it begins as a schema registry's serializer writes it, with a byte 0 and the schema"
                  + " id 7; its format is json-confluent");
    }
  }

  private List<String> fields(String format) {
    return RecordFormats.fields(format, value(""), Map.of("registry.url", registry.url())).stream()
        .map(
            field ->
                "%s %s %s%s"
                    .formatted(
                        field.path(),
                        field.kind(),
                        field.words(),
                        field.isNullable() ? " null" : ""))
        .toList();
  }

  private static byte[] value(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return ByteBuffer.allocate(5 + bytes.length).put((byte) 0).putInt(7).put(bytes).array();
  }
}
