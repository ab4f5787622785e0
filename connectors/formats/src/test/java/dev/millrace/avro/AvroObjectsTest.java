package dev.millrace.avro;

import static dev.millrace.avro.Flows.bytes;
import static dev.millrace.avro.Flows.flow;
import static dev.millrace.avro.Flows.plan;
import static dev.millrace.avro.Flows.schema;
import static dev.millrace.avro.Flows.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Mutation;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class AvroObjectsTest {

  private static final Schema ALL =
      schema(
          """
          {"name":"flag","type":"boolean"},
          {"name":"count","type":"int"},
          {"name":"large","type":"long"},
          {"name":"rate","type":"float"},
          {"name":"ratio","type":"double"},
          {"name":"no","type":"double"},
          {"name":"word","type":"string"},
          {"name":"status","type":{"type":"enum","name":"Status","symbols":["ok","fraud"]}},
          {"name":"raw","type":"bytes"},
          {"name":"nothing","type":["null","string"]},
          {"name":"one","type":["null","string","long"]},
          {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":40,"scale":2}},
          {"name":"whole","type":{"type":"bytes","logicalType":"decimal","precision":40,"scale":0}},
          {"name":"day","type":{"type":"int","logicalType":"date"}},
          {"name":"millis","type":{"type":"long","logicalType":"timestamp-millis"}},
          {"name":"micros","type":{"type":"long","logicalType":"timestamp-micros"}},
          {"name":"id","type":{"type":"fixed","name":"Id","size":16,"logicalType":"uuid"}},
          {"name":"tags","type":{"type":"map","values":"int"}},
          {"name":"steps","type":{"type":"array","items":{"type":"record","name":"Step","fields":[
            {"name":"x","type":["null","double"]}]}}}
          """);

  private static final String[] PATHS = {
    "flag",
    "count",
    "large",
    "rate",
    "ratio",
    "word",
    "status",
    "nothing",
    "one",
    "price",
    "whole",
    "day",
    "millis",
    "micros",
    "id",
    "tags.b",
    "steps[0].x",
    "steps[1].x"
  };

  private static byte[] all() {
    Schema step = ALL.getField("steps").schema().getElementType();
    return bytes(
        ALL,
        flow(
            ALL,
            "flag",
            true,
            "count",
            -7,
            "large",
            (1L << 53) + 1,
            "rate",
            0.1f,
            "ratio",
            1e-3,
            "no",
            Double.NaN,
            "word",
            "a \"☂\"\n",
            "status",
            new GenericData.EnumSymbol(ALL.getField("status").schema(), "fraud"),
            "raw",
            ByteBuffer.wrap(new byte[] {0, -1}),
            "nothing",
            null,
            "one",
            5L,
            "price",
            decimal("12345678901234567890.10"),
            "whole",
            decimal("98765432109876543210"),
            "day",
            2,
            "millis",
            1_700_000_000_123L,
            "micros",
            -1L,
            "id",
            new GenericData.Fixed(ALL.getField("id").schema(), new byte[16]),
            "tags",
            Map.of("b", 2),
            "steps",
            List.of(flow(step, "x", 1.5), flow(step, "x", null))));
  }

  private static ByteBuffer decimal(String text) {
    return ByteBuffer.wrap(new BigDecimal(text).unscaledValue().toByteArray());
  }

  private static String json(Schema schema, byte[] value) throws InvalidExampleException {
    return new String(new AvroObjects(schema.toString()).json(value), UTF_8);
  }

  @Test
  void allThatARecordHoldsIsInTheObject() throws Exception {
    assertThat(json(ALL, all()))
        .isEqualTo(
            "{\"flag\":true,\"count\":-7,\"large\":9007199254740993,\"rate\":0.10000000149011612,"
                + "\"ratio\":0.001,\"no\":\"NaN\",\"word\":\"a \\\"☂\\\"\\n\",\"status\":\"fraud\","
                + "\"raw\":\"AP8=\",\"nothing\":null,\"one\":5,\"price\":12345678901234567890.10,"
                + "\"whole\":98765432109876543210,\"day\":172800000,\"millis\":1700000000123,"
                + "\"micros\":-1,\"id\":\"00000000-0000-0000-0000-000000000000\","
                + "\"tags\":{\"b\":2},\"steps\":[{\"x\":1.5},{\"x\":null}]}");
  }

  /** A job that trains on objects and one that scores the records have the same features. */
  @Test
  void theSameIsReadOfTheObjectAndDamagedBytesAreRejectedAlike() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    FieldPlan plan = plan(PATHS);
    AvroFormat format = new AvroFormat(ALL.toString(), plan);
    AvroObjects objects = new AvroObjects(ALL.toString());
    assertSame(format, objects, plan, all(), "undamaged");
    int accepted = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] damaged = Mutation.of(all(), random);
      accepted +=
          assertSame(format, objects, plan, damaged, "seed %s, record %s".formatted(seed, i));
    }
    assertThat(accepted).as("seed %s", seed).isBetween(100, 10_000);
  }

  private static int assertSame(
      AvroFormat format, AvroObjects objects, FieldPlan plan, byte[] value, String what)
      throws InvalidExampleException {
    FieldValues ofRecord = new FieldValues(plan);
    byte[] json;
    try {
      json = objects.json(value);
    } catch (InvalidExampleException e) {
      assertThat(e.getMessage()).as(what).startsWith("not Avro of the writer's schema at byte");
      // Keys of maps that nobody wants may be no text, or there twice.
      if (!e.getMessage().contains("UTF-8") && !e.getMessage().contains("Duplicate")) {
        assertThatThrownBy(() -> format.read(value, ofRecord))
            .as(what)
            .hasMessageStartingWith("not Avro of the writer's schema at byte");
      }
      return 0;
    }
    FieldValues ofObject = new FieldValues(plan);
    format.read(value, ofRecord);
    RecordFormats.named("json", plan, Map.of()).read(json, ofObject);
    List<String> told = new ArrayList<>(told(ofRecord, PATHS.length));
    for (int i = 0; i < PATHS.length; i++) {
      if (ofRecord.kind(i) == FieldValues.Kind.DOUBLE && !Double.isFinite(ofRecord.doubleAt(i))) {
        // Neither is a number.
        told.set(i, "text " + ofRecord.doubleAt(i));
      }
    }
    assertThat(told(ofObject, PATHS.length)).as(what).isEqualTo(told);
    return 1;
  }

  @Test
  void aFewBytesDoNotBecomeALotOfJson() {
    Schema names =
        schema(
            "{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"%s\"]}}}"
                .formatted("x".repeat(10_000)));
    GenericRecord many =
        flow(
            names,
            "a",
            Collections.nCopies(
                200,
                new GenericData.EnumSymbol(
                    names.getField("a").schema().getElementType(), "x".repeat(10_000))));

    assertThatThrownBy(() -> json(names, bytes(names, many)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("more than 1000000 bytes as JSON");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() {
    Schema map = schema("{\"name\":\"a\",\"type\":{\"type\":\"map\",\"values\":\"null\"}}");

    assertThatThrownBy(() -> json(map, new byte[] {4, 2, 'k', 2, 'k', 0}))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("Duplicate field 'k'");
  }

  /** The reason is a header and a line of the log. */
  @Test
  void aLongKeyOfSeveralLinesIsToldInOneShortLine() throws Exception {
    Schema map = schema("{\"name\":\"a\",\"type\":{\"type\":\"map\",\"values\":\"null\"}}");
    byte[] key = ("\n" + "k".repeat(10_000)).getBytes(UTF_8);
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(value, null);
    out.writeMapStart();
    out.setItemCount(2);
    for (int i = 0; i < 2; i++) {
      out.writeBytes(key);
    }
    out.writeMapEnd();

    assertThatThrownBy(() -> json(map, value.toByteArray()))
        .isInstanceOf(InvalidExampleException.class)
        .message()
        .contains("Duplicate field ' kkk")
        .hasSizeLessThan(300);
  }
}
