package dev.millrace.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.describe.Proposal;
import dev.millrace.cli.describe.SpooledValues;
import dev.millrace.job.setup.OptionReader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicSamplingTest {

  private static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "R", "fields": [
                {"name": "items", "type": ["null", {"type": "array", "items": "string"}]},
                {"name": "parts", "type": {"type": "array", "items":
                  {"type": "record", "name": "P", "fields": [{"name": "x", "type": "int"}]}}},
                {"name": "prices", "type": {"type": "map", "values": "int"}},
                {"name": "raw", "type": "bytes"},
                {"name": "label", "type": "int"}]}
              """);

  @TempDir private Path directory;

  /** A schema says that there are arrays; whether they are ids, their values say. */
  @Test
  void looksIntoArraysOfASchema() throws Exception {
    Path schema = Files.writeString(directory.resolve("r.avsc"), SCHEMA.toString());
    Random random = new Random(3);
    try (SpooledValues values = SpooledValues.create()) {
      for (int i = 0; i < 300; i++) {
        values.add(record(i, random));
      }

      TopicSampling sampling =
          TopicSampling.of(
              values::open,
              OptionReader.configuration(
                  Map.of("input.format", "avro", "input.schema", schema.toString())));

      assertThat(sampling.sample().unreadable()).as(sampling.sample().firstUnreadable()).isZero();
      assertThat(new Proposal(sampling.sample(), "a topic", null).input())
          .anyMatch(line -> line.startsWith("  - {path: items, kind: ids, dimension: 16}"))
          .contains(
              "  # parts: an array or an object; left out",
              "  # prices: an array or an object; left out",
              "  # raw: an array or an object; left out");
    }
  }

  private static byte[] record(int number, Random random) throws Exception {
    GenericRecord part = new GenericData.Record(SCHEMA.getField("parts").schema().getElementType());
    part.put("x", number);
    GenericRecord record = new GenericData.Record(SCHEMA);
    record.put(
        "items",
        number % 9 == 0
            ? null
            : Stream.generate(() -> "i" + random.nextInt(40)).limit(number % 5).toList());
    record.put("parts", List.of(part));
    record.put("prices", Map.of("a", number));
    record.put("raw", ByteBuffer.wrap(new byte[] {1, (byte) number}));
    record.put("label", number % 2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
