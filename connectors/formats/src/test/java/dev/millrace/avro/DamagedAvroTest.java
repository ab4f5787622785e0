package dev.millrace.avro;

import static dev.millrace.avro.Flows.bytes;
import static dev.millrace.avro.Flows.flow;
import static dev.millrace.avro.Flows.plan;
import static dev.millrace.avro.Flows.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Mutation;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.model.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;

/** Damaged bytes are rejected, or are what Avro's own reader makes of them. */
class DamagedAvroTest {

  private static final int RECORDS = 10_000;

  private static final Schema SCHEMA =
      Flows.schema(
          """
          {"name":"duration","type":"double"},
          {"name":"protocol","type":["null","string"]},
          {"name":"counts","type":{"type":"array","items":"long"}},
          {"name":"tags","type":{"type":"map","values":"string"}},
          {"name":"skipped","type":{"type":"array","items":{"type":"map","values":"bytes"}}},
          {"name":"flag","type":"boolean"},
          {"name":"count","type":"int"}
          """);

  private static final FieldPlan PLAN = plan("duration", "protocol", "counts[1]", "flag", "count");

  @Test
  void isRejectedOrReadAsAvroReadsIt() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    AvroFormat format = new AvroFormat(SCHEMA.toString(), PLAN);
    FieldValues values = new FieldValues(PLAN);
    byte[] good =
        bytes(
            SCHEMA,
            flow(
                SCHEMA,
                "duration",
                1.5,
                "protocol",
                "tcp",
                "counts",
                List.of(1L, 2L, 3L),
                "tags",
                Map.of("a", "b"),
                "skipped",
                List.of(Map.of()),
                "flag",
                true,
                "count",
                7));
    int accepted = 0;
    for (int i = 0; i < RECORDS; i++) {
      byte[] damaged = Mutation.of(good, random);
      values.clear();
      try {
        format.read(damaged, values);
        accepted++;
        assertThat(told(values, 5)).as("seed %d, record %d", seed, i).isEqualTo(reference(damaged));
      } catch (InvalidExampleException e) {
        assertThat(e.getMessage()).as("seed %d, record %d", seed, i).startsWith("not Avro");
      }
      values.clear();
      format.read(good, values);
      assertThat(told(values, 5))
          .as("the record behind it, seed %d, record %d", seed, i)
          .containsExactly("double 1.5", "text tcp", "long 2", "boolean true", "long 7");
    }
    assertThat(accepted).as("seed %d", seed).isBetween(RECORDS / 100, RECORDS);
  }

  private static List<String> reference(byte[] value) throws Exception {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(value, null);
    GenericRecord read = new GenericDatumReader<GenericRecord>(SCHEMA).read(null, decoder);
    assertThat(decoder.isEnd()).isTrue();
    List<?> counts = (List<?>) read.get("counts");
    FieldValues values = new FieldValues(PLAN);
    values.setDouble(0, (double) read.get("duration"));
    if (read.get("protocol") != null) {
      values.setText(1, read.get("protocol").toString());
    }
    if (counts.size() > 1) {
      values.setLong(2, (long) counts.get(1));
    }
    values.setBoolean(3, (boolean) read.get("flag"));
    values.setLong(4, (int) read.get("count"));
    return told(values, 5);
  }
}
