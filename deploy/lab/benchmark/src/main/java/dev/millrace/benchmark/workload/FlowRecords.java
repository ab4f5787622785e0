package dev.millrace.benchmark.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.millrace.example.ExampleFormat;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Records of 41 named fields, three of them words, as network flows have; in several formats. */
public final class FlowRecords {

  public static final List<String> FORMATS = List.of("json", "avro", "protobuf");

  private static final int NUMBERS = 38;
  private static final int WORDS = 3;
  private static final int VOCABULARY = 70;
  private static final int CLASSES = 2;
  private static final long SEED = 19;

  private static final ExampleShape SHAPE = description().shape(Target.CLASSIFICATION, CLASSES);

  private final int count;

  /**
   * @param count of different records
   */
  public FlowRecords(int count) {
    this.count = count;
  }

  /** The fields as a job is told of them. */
  public static String fields() {
    Stream<String> numbers =
        IntStream.range(0, NUMBERS)
            .mapToObj(
                i ->
                    "{\"path\":\"n%s\",\"kind\":\"number\",\"scale\":\"none\",\"missing\":0}"
                        .formatted(i));
    Stream<String> words =
        IntStream.range(0, WORDS)
            .mapToObj(i -> "{\"path\":\"w%s\",\"kind\":\"category\",\"buckets\":64}".formatted(i));
    return Stream.of(numbers, words, Stream.of("{\"path\":\"label\",\"role\":\"label\"}"))
        .flatMap(all -> all)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static FieldsDescription description() {
    return FieldsDescription.parse(fields(), null);
  }

  public static int classes() {
    return CLASSES;
  }

  public static ExampleShape shape() {
    return SHAPE;
  }

  /**
   * Returns the format that a job reads them with.
   *
   * @param options of the format, behind {@code input.}
   */
  public static ExampleFormat format(String name, Map<String, String> options) {
    RecordFeatures features = RecordFeatures.labelled(description(), SHAPE, List.of());
    return new FieldFormat(RecordFormats.named(name, features.plan(), options), features);
  }

  /** The records' values. */
  public List<byte[]> encode(String format) throws IOException {
    Random random = new Random(SEED);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] numbers = random.doubles(NUMBERS, 0, 1000).toArray();
      String[] words = new String[WORDS];
      for (int word = 0; word < WORDS; word++) {
        words[word] = "word-" + random.nextInt(VOCABULARY);
      }
      int label = random.nextInt(CLASSES);
      values.add(
          switch (format) {
            case "json" -> json(numbers, words, label);
            case "avro" -> avro(numbers, words, label);
            case "protobuf" -> protobuf(numbers, words, label);
            default -> throw new IllegalArgumentException(format);
          });
    }
    return values;
  }

  private static byte[] json(double[] numbers, String[] words, int label) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < NUMBERS; i++) {
      json.append("\"n").append(i).append("\":").append(numbers[i]).append(',');
    }
    for (int i = 0; i < WORDS; i++) {
      json.append("\"w").append(i).append("\":\"").append(words[i]).append("\",");
    }
    return json.append("\"label\":").append(label).append('}').toString().getBytes(UTF_8);
  }

  public static String avroSchema() {
    Stream<String> numbers =
        IntStream.range(0, NUMBERS)
            .mapToObj(i -> "{\"name\":\"n%s\",\"type\":\"double\"}".formatted(i));
    Stream<String> words =
        IntStream.range(0, WORDS)
            .mapToObj(i -> "{\"name\":\"w%s\",\"type\":\"string\"}".formatted(i));
    return Stream.of(numbers, words, Stream.of("{\"name\":\"label\",\"type\":\"int\"}"))
        .flatMap(all -> all)
        .collect(
            Collectors.joining(",", "{\"type\":\"record\",\"name\":\"Flow\",\"fields\":[", "]}"));
  }

  private static byte[] avro(double[] numbers, String[] words, int label) throws IOException {
    Schema schema = new Schema.Parser().parse(avroSchema());
    GenericRecord record = new GenericData.Record(schema);
    for (int i = 0; i < NUMBERS; i++) {
      record.put(i, numbers[i]);
    }
    for (int i = 0; i < WORDS; i++) {
      record.put(NUMBERS + i, words[i]);
    }
    record.put(NUMBERS + WORDS, label);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The descriptors of the message {@code Flow}. */
  public static byte[] descriptors() {
    DescriptorProto.Builder flow = DescriptorProto.newBuilder().setName("Flow");
    for (int i = 0; i < NUMBERS; i++) {
      add(flow, "n" + i, i + 1, FieldDescriptorProto.Type.TYPE_DOUBLE);
    }
    for (int i = 0; i < WORDS; i++) {
      add(flow, "w" + i, NUMBERS + i + 1, FieldDescriptorProto.Type.TYPE_STRING);
    }
    add(flow, "label", NUMBERS + WORDS + 1, FieldDescriptorProto.Type.TYPE_INT32);
    return FileDescriptorSet.newBuilder()
        .addFile(
            FileDescriptorProto.newBuilder()
                .setName("flow.proto")
                .setSyntax("proto3")
                .addMessageType(flow))
        .build()
        .toByteArray();
  }

  private static void add(
      DescriptorProto.Builder message, String name, int number, FieldDescriptorProto.Type type) {
    message
        .addFieldBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static byte[] protobuf(double[] numbers, String[] words, int label) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < NUMBERS; i++) {
      out.writeDouble(i + 1, numbers[i]);
    }
    for (int i = 0; i < WORDS; i++) {
      out.writeString(NUMBERS + i + 1, words[i]);
    }
    out.writeInt32(NUMBERS + WORDS + 1, label);
    out.flush();
    return bytes.toByteArray();
  }
}
