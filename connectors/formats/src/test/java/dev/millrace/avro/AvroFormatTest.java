package dev.millrace.avro;

import static dev.millrace.avro.Flows.bytes;
import static dev.millrace.avro.Flows.flow;
import static dev.millrace.avro.Flows.plan;
import static dev.millrace.avro.Flows.schema;
import static dev.millrace.avro.Flows.sequence;
import static dev.millrace.avro.Flows.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class AvroFormatTest {

  private static final Schema SCALARS =
      schema(
          """
          {"name":"flag","type":"boolean"},
          {"name":"count","type":"int"},
          {"name":"bytes","type":"long"},
          {"name":"rate","type":"float"},
          {"name":"duration","type":"double"},
          {"name":"protocol","type":"string"},
          {"name":"status","type":{"type":"enum","name":"Status","symbols":["ok","fraud"]}},
          {"name":"raw","type":"bytes"},
          {"name":"nothing","type":["null","string"]}
          """);

  @Test
  void readsEveryKindOfScalar() throws Exception {
    GenericRecord flow =
        flow(
            SCALARS,
            "flag",
            true,
            "count",
            -7,
            "bytes",
            1L << 40,
            "rate",
            0.5f,
            "duration",
            1e-3,
            "protocol",
            "tcp ☂",
            "status",
            new GenericData.EnumSymbol(SCALARS.getField("status").schema(), "fraud"),
            "raw",
            ByteBuffer.wrap(new byte[3]),
            "nothing",
            null);

    assertThat(
            read(
                SCALARS,
                flow,
                "flag",
                "count",
                "bytes",
                "rate",
                "duration",
                "protocol",
                "status",
                "raw",
                "nothing",
                "not.there"))
        .containsExactly(
            "boolean true",
            "long -7",
            "long 1099511627776",
            "double 0.5",
            "double 0.001",
            "text tcp ☂",
            "text fraud",
            "other bytes",
            "missing",
            "missing");
  }

  @Test
  void aWholeNumberIsTheSameWhateverItsType() throws Exception {
    Schema asDouble = schema("{\"name\":\"n\",\"type\":\"double\"}");
    Schema asInt = schema("{\"name\":\"n\",\"type\":\"int\"}");

    assertThat(read(asDouble, flow(asDouble, "n", 3.0), "n"))
        .isEqualTo(read(asInt, flow(asInt, "n", 3), "n"))
        .containsExactly("long 3");
  }

  @Test
  void readsLogicalTypes() throws Exception {
    Schema schema =
        schema(
            """
            {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
            {"name":"millis","type":{"type":"long","logicalType":"timestamp-millis"}},
            {"name":"micros","type":["null",{"type":"long","logicalType":"timestamp-micros"}]},
            {"name":"day","type":{"type":"int","logicalType":"date"}},
            {"name":"id","type":{"type":"string","logicalType":"uuid"}}
            """);
    GenericRecord flow =
        flow(
            schema,
            "price",
            ByteBuffer.wrap(new BigDecimal("-12.34").unscaledValue().toByteArray()),
            "millis",
            1700000000123L,
            "micros",
            -1L,
            "day",
            2,
            "id",
            "0d9e");

    assertThat(read(schema, flow, "price", "millis", "micros", "day", "id"))
        .containsExactly(
            "double -12.34", "long 1700000000123", "long -1", "long 172800000", "text 0d9e");
  }

  @Test
  void readsWhatIsNested() throws Exception {
    Schema schema =
        schema(
            """
            {"name":"before","type":{"type":"array","items":["null","double"]}},
            {"name":"order","type":["null",{"type":"record","name":"Order","fields":[
              {"name":"note","type":"string"},
              {"name":"items","type":{"type":"array","items":{"type":"record","name":"Item","fields":[
                {"name":"price","type":"double"}]}}}]}]},
            {"name":"tags","type":{"type":"map","values":"int"}}
            """);
    Schema order = schema.getField("order").schema().getTypes().get(1);
    Schema item = order.getField("items").schema().getElementType();
    GenericRecord flow =
        flow(
            schema,
            "before",
            Arrays.asList(null, 2.5),
            "order",
            flow(
                order,
                "note",
                "skipped",
                "items",
                List.of(flow(item, "price", 1.5), flow(item, "price", 2.5))),
            "tags",
            Map.of("a", 1, "b", 2));
    String[] paths = {
      "order.items[1].price", "tags.b", "before[0]", "before[1]", "order.items[2].price", "order"
    };

    assertThat(read(schema, flow, paths))
        .containsExactly(
            "double 2.5", "long 2", "missing", "double 2.5", "missing", "other a record");
    flow.put("order", null);
    assertThat(read(schema, flow, paths))
        .containsExactly("missing", "long 2", "missing", "double 2.5", "missing", "missing");
  }

  @Test
  void theElementsOfASequenceAreItsSteps() throws Exception {
    Schema schema =
        schema(
            """
            {"name":"steps","type":{"type":"array","items":{"type":"record","name":"Step","fields":[
              {"name":"x","type":["null","double"]}]}}}
            """);
    Schema step = schema.getField("steps").schema().getElementType();
    GenericRecord flow =
        flow(schema, "steps", List.of(flow(step, "x", 1.5), flow(step, "x", null)));

    FieldValues values = read(format(schema, sequence("steps", "x")), bytes(schema, flow));

    assertThat(values.steps()).isEqualTo(2);
    assertThat(told(values.step(0), 1)).containsExactly("double 1.5");
    assertThat(told(values.step(1), 1)).containsExactly("missing");
  }

  private static FieldValues read(RecordFormat format, byte[] value) throws Exception {
    FieldValues values = new FieldValues(sequence("steps", "x"));
    format.read(value, values);
    return values;
  }

  @Test
  void aSchemaMayHoldItself() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type":"record","name":"Node","fields":[
                  {"name":"next","type":["null","Node"]},{"name":"n","type":"int"}]}
                """);
    GenericRecord inner = flow(schema, "next", null, "n", 1);

    assertThat(read(schema, flow(schema, "next", inner, "n", 2), "n", "next.n"))
        .containsExactly("long 2", "long 1");
  }

  @Test
  void aFieldThatGotAnotherNameIsFoundByItsAlias() throws Exception {
    Schema renamed = schema("{\"name\":\"amount\",\"type\":\"double\",\"aliases\":[\"price\"]}");

    assertThat(read(renamed, flow(renamed, "amount", 1.5), "price", "amount"))
        .containsExactly("double 1.5", "double 1.5");
  }

  @Test
  void refusesWhatIsNotOneRecordOfTheSchema() {
    Schema schema =
        schema("{\"name\":\"a\",\"type\":\"string\"},{\"name\":\"b\",\"type\":\"boolean\"}");
    byte[] right = bytes(schema, flow(schema, "a", "tcp", "b", true));

    assertRefused(schema, Arrays.copyOf(right, 3), "a length of 3, where 2 bytes are left");
    assertRefused(schema, Arrays.copyOf(right, 4), "it ends within the record");
    assertRefused(schema, Arrays.copyOf(right, 6), "continues after the record");
    assertRefused(schema, new byte[] {2, 'a', 2}, "a boolean of 0 or 1 expected, 2 found");
    assertRefused(schema, new byte[] {2, (byte) 0xff, 1}, "not UTF-8");
    // A length of 1.5 billion.
    assertRefused(
        schema,
        new byte[] {(byte) 0x80, (byte) 0xbc, (byte) 0xc1, (byte) 0x96, 0x0b, 1},
        "where 1 bytes are left");
  }

  @Test
  void aCountIsBoundedEvenWhereItemsTakeNoBytes() {
    Schema schema = schema("{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"null\"}}");

    assertRefused(
        schema,
        new byte[] {(byte) 0x80, (byte) 0xbc, (byte) 0xc1, (byte) 0x96, 0x0b, 0},
        "more than the value can hold");
  }

  @Test
  void depthIsBoundedInEveryNestedValue() throws Exception {
    Schema schema =
        schema(
            "{\"name\":\"a\",\"type\":\"int\"},{\"name\":\"deep\",\"type\":%s}"
                .formatted(nested("array", "items", 200, "\"Flow\"")));
    // Each record has arrays of one element, down to the next record.
    byte[] value = {0, 0};
    for (int records = 0; records < 60; records++) {
      value =
          ByteBuffer.allocate(1 + 200 + value.length + 200)
              .put((byte) 0)
              .put(filled(200, 2))
              .put(value)
              .put(filled(200, 0))
              .array();
    }

    assertRefused(schema, value, "records, arrays and maps nested deeper than 64 levels");
    for (String kind : List.of("array", "map")) {
      String word = kind.equals("map") ? "values" : "items";
      Schema few =
          schema(
              "{\"name\":\"a\",\"type\":\"int\"},{\"name\":\"b\",\"type\":%s}"
                  .formatted(nested(kind, word, 70, "\"null\"")));
      ByteBuffer levels = ByteBuffer.allocate(1 + 2 * 70).put((byte) 0);
      for (int level = 0; level < 70; level++) {
        levels.put((byte) 2).put(kind.equals("map") ? new byte[1] : new byte[0]);
      }
      assertRefused(few, levels.array(), "nested deeper than 64 levels");
    }
  }

  private static byte[] filled(int length, int with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static String nested(String type, String word, int levels, String innermost) {
    String opened = "{\"type\":\"%s\",\"%s\":".formatted(type, word);
    return opened.repeat(levels) + innermost + "}".repeat(levels);
  }

  @Test
  void recordsOfNothingAreNoEndlessWork() {
    StringBuilder fields = new StringBuilder("{\"name\":\"a\",\"type\":\"int\"}");
    fields.append(
        ",{\"name\":\"n0\",\"type\":{\"type\":\"record\",\"name\":\"N0\",\"fields\":[]}}");
    for (int i = 1; i <= 60; i++) {
      fields.append(
          ",{\"name\":\"n%s\",\"type\":{\"type\":\"record\",\"name\":\"N%s\",\"fields\":[{\"name\":\"l\",\"type\":\"N%s\"},{\"name\":\"r\",\"type\":\"N%s\"}]}}"
              .formatted(i, i, i - 1, i - 1));
    }

    assertRefused(
        schema(fields.toString()), new byte[1], "more values in records than its bytes can hold");
  }

  @Test
  void aDecimalIsBoundedByItsSchemaAndByItsBytes() throws Exception {
    Schema small = decimal(3, 0);
    assertThat(read(small, flow(small, "a", ByteBuffer.wrap(new byte[] {3, (byte) 0xe7})), "a"))
        .containsExactly("long 999");
    assertRefused(
        small,
        bytes(small, flow(small, "a", ByteBuffer.wrap(new byte[] {4, 0}))),
        "a decimal of more than the 3 digits that its schema allows");
    for (int scale : new int[] {0, 2}) {
      Schema large = decimal(1_000_000_000, scale);
      assertRefused(
          large,
          bytes(large, flow(large, "a", ByteBuffer.wrap(filled(1_000_000, 1)))),
          "a decimal of 1000000 bytes, where at most 1024 are read");
      byte[] longest = bytes(large, flow(large, "a", ByteBuffer.wrap(filled(1024, 1))));
      format(large, plan("a")).read(longest, new FieldValues(plan("a")));
    }
  }

  private static Schema decimal(int precision, int scale) {
    return schema(
        "{\"name\":\"a\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":%s,\"scale\":%s}}"
            .formatted(precision, scale));
  }

  @Test
  void aSchemaIsBounded() {
    assertUnusable(" ".repeat(1_000_001), "1000001 characters, where at most 1000000 are read");
    assertUnusable(chain(1_100), "1100 types, where at most 1000 are read");
    assertUnusable(nested("array", "items", 501, "\"int\""), "deeper than 500 levels of JSON");
    assertUnusable(nested("array", "items", 30_000, "\"int\""), "deeper than 500 levels of JSON");
    assertUnusable(
        chain(500).replaceFirst("\"C0\"", "\"C0\",\"doc\":\"%s\"".formatted("x".repeat(900_000))),
        "too much; have fewer types, or shorter texts");
  }

  private static void assertUnusable(String schema, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AvroSchemas.of(schema))
        .withMessageContaining(reason);
  }

  /** Records each of which has the one before. */
  private static String chain(int records) {
    StringBuilder types = new StringBuilder("{\"type\":\"record\",\"name\":\"C0\",\"fields\":[]}");
    for (int i = 1; i < records; i++) {
      types.append(
          ",{\"type\":\"record\",\"name\":\"C%s\",\"fields\":[{\"name\":\"f\",\"type\":\"C%s\"}]}"
              .formatted(i, i - 1));
    }
    return "[" + types + "]";
  }

  @Test
  void aLongChainOfRecordsTakesNoStack() throws Exception {
    Schema schema =
        AvroSchemas.of(
            """
            {"type":"record","name":"Top","fields":[{"name":"a","type":"int"},
            {"name":"z","type":["null","C990"]},{"name":"all","type":%s}]}
            """
                .formatted(chain(991)));
    AvroReader[] reader = new AvroReader[1];
    // With little of a stack, all that depends on the depth would overflow.
    Thread small =
        new Thread(null, () -> reader[0] = new AvroReader(schema, plan("a")), "small", 64 << 10);
    small.start();
    small.join();

    FieldValues values = new FieldValues(plan("a"));
    reader[0].read(new byte[] {14, 0, 0}, 0, new AvroInput(), values);
    assertThat(told(values, 1)).containsExactly("long 7");
  }

  @Test
  void aPathThroughUnionsOfManyBranchesIsBounded() {
    int branches = 60;
    StringBuilder names = new StringBuilder("\"null\"");
    for (int i = 0; i < branches; i++) {
      names.append(",\"B").append(i).append('"');
    }
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < branches; i++) {
      all.append(i == 0 ? "" : ",")
          .append(
              "{\"type\":\"record\",\"name\":\"B%s\",\"fields\":[{\"name\":\"b\",\"type\":[%s]},{\"name\":\"a\",\"type\":\"int\"}]}"
                  .formatted(i, names));
    }
    String schema =
        "{\"type\":\"record\",\"name\":\"Top\",\"fields\":[{\"name\":\"b\",\"type\":[%s]}]}"
            .formatted(all);

    format(AvroSchemas.of(schema), plan("b.b.a"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> format(AvroSchemas.of(schema), plan("b.b.b.b.a")))
        .withMessageContaining("may be at more than 100000 places in the schema");
  }

  private static void assertRefused(Schema schema, byte[] value, String reason) {
    RecordFormat format = format(schema, plan("a"));
    assertThatThrownBy(() -> format.read(value, new FieldValues(plan("a"))))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("not Avro of the writer's schema at byte")
        .hasMessageContaining(reason);
  }

  @Test
  void saysWhatIsWrongWithASchema() {
    FieldPlan plan = plan("a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.named("avro", plan, Map.of()))
        .withMessageContaining("needs the schema that records are written with");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.named("avro", plan, Map.of("schema", "none.avsc")))
        .withMessageContaining("The Avro schema in none.avsc can't be read");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.named("avro", plan, Map.of("schema", "{\"type\":1}")))
        .withMessageContaining("no Avro schema");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.named("avro", plan, Map.of("schema", "{\"type\":\"int\"}")))
        .withMessageContaining("a schema of records expected, one of type int found");
  }

  private static List<String> read(Schema schema, GenericRecord flow, String... paths)
      throws Exception {
    FieldPlan plan = plan(paths);
    FieldValues values = new FieldValues(plan);
    RecordFormat format = format(schema, plan);
    format.read(bytes(schema, flow), values);
    return told(values, paths.length);
  }

  private static RecordFormat format(Schema schema, FieldPlan plan) {
    return RecordFormats.named("avro", plan, Map.of("schema", schema.toString()));
  }
}
