package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal lists have equal ids in each format. */
class IdsOfFormatsTest {

  private static final String FIELDS =
      "[{\"path\":\"words\",\"kind\":\"ids\",\"dimension\":2,\"separator\":\"|\"},"
          + "{\"path\":\"n\",\"kind\":\"id\",\"dimension\":2},"
          + "{\"path\":\"numbers\",\"kind\":\"ids\",\"dimension\":2,\"separator\":\"|\"}]";

  private static final Schema AVRO =
      new Schema.Parser()
          .parse(
              "{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                  + "{\"name\":\"words\",\"type\":{\"type\":\"array\",\"items\":[\"null\",\"string\"]}},"
                  + "{\"name\":\"n\",\"type\":[\"null\",\"long\"]},"
                  + "{\"name\":\"numbers\",\"type\":[\"null\",{\"type\":\"array\",\"items\":\"double\"}]}]}");

  @TempDir private static Path directory;

  private final RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(FIELDS, null));

  private Example read(String format, Map<String, String> options, byte[] record)
      throws InvalidExampleException {
    FieldFormat reader =
        new FieldFormat(RecordFormats.named(format, features.plan(), options), features);
    Example example = new Example(features.shape());
    reader.read(record, example);
    return example;
  }

  private Example avro(Schema schema, GenericRecord record) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    return read("avro", Map.of("schema", schema.toString()), out.toByteArray());
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }

  private static Map<String, String> protobuf() throws IOException {
    DescriptorProto message =
        DescriptorProto.newBuilder()
            .setName("R")
            .addField(field("words", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(
                field("n", 2, FieldDescriptorProto.Type.TYPE_SINT64)
                    .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))
            .addField(field("numbers", 3, FieldDescriptorProto.Type.TYPE_DOUBLE))
            .build();
    FileDescriptorSet set =
        FileDescriptorSet.newBuilder()
            .addFile(
                FileDescriptorProto.newBuilder()
                    .setName("r.proto")
                    .setSyntax("proto3")
                    .addMessageType(message))
            .build();
    Path file = directory.resolve("r.desc");
    Files.write(file, set.toByteArray());
    return Map.of("schema", file.toString(), "protobuf.message", "R");
  }

  /** Writes numbers packed in parts, and one by one, in between the words. */
  private static byte[] message(List<String> words, long n, List<Double> numbers, Random random)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeSInt64(2, n);
    int word = 0;
    int number = 0;
    while (word < words.size() || number < numbers.size()) {
      if (word < words.size()) {
        out.writeString(1, words.get(word++));
      }
      int packed = random.nextInt(numbers.size() - number + 1);
      if (packed == 1) {
        out.writeDouble(3, numbers.get(number++));
      } else {
        out.writeTag(3, 2);
        out.writeUInt32NoTag(packed * Double.BYTES);
        for (int i = 0; i < packed; i++) {
          out.writeDoubleNoTag(numbers.get(number++));
        }
      }
    }
    out.flush();
    return bytes.toByteArray();
  }

  @RepeatedTest(20)
  void listsOfAnyFormatHaveTheSameIds() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    List<String> words =
        Stream.generate(() -> "w" + random.nextInt(9) + "é ☂").limit(random.nextInt(5)).toList();
    List<Double> numbers =
        Stream.generate(() -> random.nextInt(-9, 9) / 4.0).limit(random.nextInt(5)).toList();
    long n = random.nextLong();
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("n", n);
    ArrayNode jsonWords = json.putArray("words");
    words.forEach(jsonWords::add);
    ArrayNode jsonNumbers = json.putArray("numbers");
    numbers.forEach(jsonNumbers::add);
    GenericRecord avro = new GenericData.Record(AVRO);
    avro.put("n", n);
    List<String> withNulls = new ArrayList<>(words);
    withNulls.add(random.nextInt(withNulls.size() + 1), null);
    avro.put("words", withNulls);
    avro.put("numbers", numbers);
    String csv =
        "%s,%s,%s"
            .formatted(
                String.join(" | ", words),
                n,
                numbers.stream().map(String::valueOf).collect(Collectors.joining("|")));

    List<List<Long>> expected = Ids.of(read("json", Map.of(), json.toString().getBytes(UTF_8)));

    assertThat(expected.get(0)).isEqualTo(Ids.of("words", words.toArray(String[]::new)));
    assertThat(expected.get(2)).hasSize(numbers.size());
    assertThat(Ids.of(avro(AVRO, avro))).as("seed %s", seed).isEqualTo(expected);
    assertThat(Ids.of(read("protobuf", protobuf(), message(words, n, numbers, random))))
        .as("seed %s", seed)
        .isEqualTo(expected);
    assertThat(Ids.of(read("csv", Map.of("csv.columns", "words\nn\nnumbers"), csv.getBytes(UTF_8))))
        .as("seed %s", seed)
        .isEqualTo(expected);
  }

  @Test
  void elementsThatHoldOthersAreRejected() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"words\",\"type\":"
                    + "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"int\"}}}]}");
    GenericRecord record = new GenericData.Record(schema);
    record.put("words", List.of(List.of(1, 2)));

    assertThatThrownBy(() -> avro(schema, record))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("element 0, field \"words\": a word expected, an array found");
  }

  /** A schema's alias brings two paths of one field to the same array. */
  @Test
  void anAliasOfTheSchemaIsTheSameList() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"items\",\"aliases\":"
                    + "[\"old\"],\"type\":{\"type\":\"array\",\"items\":\"int\"}}]}");
    RecordFeatures both =
        RecordFeatures.of(
            FieldsDescription.parse(
                "[{\"path\":\"items\",\"kind\":\"ids\",\"dimension\":1},"
                    + "{\"path\":\"old\",\"kind\":\"ids\",\"dimension\":1,\"table\":\"t\"}]",
                null));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    GenericRecord record = new GenericData.Record(schema);
    record.put("items", List.of(3, 4));
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    Example example = new Example(both.shape());

    new FieldFormat(
            RecordFormats.named("avro", both.plan(), Map.of("schema", schema.toString())), both)
        .read(out.toByteArray(), example);

    assertThat(Ids.of(example)).containsExactly(Ids.of("items", "3", "4"), Ids.of("t", "3", "4"));
  }
}
