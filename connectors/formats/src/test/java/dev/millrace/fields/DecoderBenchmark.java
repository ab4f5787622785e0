package dev.millrace.fields;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.sun.management.OperatingSystemMXBean;
import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;
import org.junit.jupiter.api.Test;

/**
 * Nanoseconds of a processor that a record of Avro or Protobuf takes, from bytes to values and from
 * bytes to an example, beside the libraries' own readers with a schema of the wanted fields. Those
 * check nothing: neither depth nor counts. Each runs in a process of its own.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl connectors -am -Dit.test=DecoderBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
public class DecoderBenchmark {

  private static final int REPETITIONS = Integer.getInteger("millrace.repetitions", 5);
  private static final int DIFFERENT = 2000;
  private static final int WARM = 60;
  private static final int ROUNDS = 150;

  /** Numbers and words of the record, and how many of each are wanted. */
  private static final List<String> CASES = List.of("38,3,38,3", "38,3,3,1", "8,1,8,1", "8,1,2,0");

  private static final List<String> READERS =
      List.of("avro", "avro library", "avro library, fast", "protobuf", "protobuf library");

  @Test
  void measuresEachReaderInAProcessOfItsOwn() throws Exception {
    for (int turn = 0; turn < REPETITIONS; turn++) {
      for (String fields : CASES) {
        for (String reader : READERS) {
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:-BackgroundCompilation",
                  "-Xmx1g",
                  "-Xmn300m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  DecoderBenchmark.class.getName(),
                  reader,
                  fields)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor();
        }
      }
    }
  }

  /** Measures one reader; {@code arguments} are one of the readers and one of the cases. */
  public static void main(String[] arguments) throws Exception {
    String[] counts = arguments[1].split(",", -1);
    Records all = new Records(Integer.parseInt(counts[0]), Integer.parseInt(counts[1]));
    Records wanted = new Records(Integer.parseInt(counts[2]), Integer.parseInt(counts[3]));
    FieldsDescription description = FieldsDescription.parse(wanted.fields(), null);
    ExampleShape shape = description.shape(Target.CLASSIFICATION, 2);
    RecordFeatures features = RecordFeatures.labelled(description, shape, List.of());
    RecordFormat format = format(arguments[0], all, wanted, features.plan());
    List<byte[]> values = all.values(arguments[0].startsWith("avro"));
    FieldValues read = features.values();
    FieldFormat whole = new FieldFormat(format, features);
    Example example = new Example(shape);
    Reader toValues =
        value -> {
          read.clear();
          format.read(value, read);
        };
    Reader toExample =
        value -> {
          example.reset();
          whole.read(value, example);
        };
    nanoseconds(values, toValues, WARM);
    nanoseconds(values, toExample, WARM);
    System.out.printf(
        Locale.ROOT,
        "%s | %s | %.0f | %.0f%n",
        arguments[0],
        arguments[1],
        nanoseconds(values, toValues, ROUNDS),
        nanoseconds(values, toExample, ROUNDS));
  }

  private static double nanoseconds(List<byte[]> values, Reader reader, int rounds)
      throws InvalidExampleException {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = machine.getProcessCpuTime();
    for (int round = 0; round < rounds; round++) {
      for (byte[] value : values) {
        reader.read(value);
      }
    }
    return (machine.getProcessCpuTime() - before) / ((double) rounds * values.size());
  }

  private interface Reader {
    void read(byte[] value) throws InvalidExampleException;
  }

  private static RecordFormat format(String reader, Records all, Records wanted, FieldPlan plan)
      throws Exception {
    return switch (reader) {
      case "avro" -> RecordFormats.named("avro", plan, Map.of("avro.schema", all.schema()));
      case "avro library" -> avro(all, wanted, plan, false);
      case "avro library, fast" -> avro(all, wanted, plan, true);
      case "protobuf" -> {
        Path file = Files.createTempFile("flow", ".desc");
        Files.write(
            file, FileDescriptorSet.newBuilder().addFile(all.proto()).build().toByteArray());
        yield RecordFormats.named(
            "protobuf",
            plan,
            Map.of("protobuf.descriptor", file.toString(), "protobuf.message", "Flow"));
      }
      case "protobuf library" -> protobuf(all.message(), plan);
      default -> throw new IllegalArgumentException(reader);
    };
  }

  private static RecordFormat avro(Records all, Records wanted, FieldPlan plan, boolean fast) {
    Schema schema = new Schema.Parser().parse(wanted.schema());
    GenericData data = new GenericData();
    data.setFastReaderEnabled(fast);
    GenericDatumReader<GenericRecord> reader =
        new GenericDatumReader<>(new Schema.Parser().parse(all.schema()), schema, data);
    int[] places =
        plan.fields().stream().mapToInt(path -> schema.getField(path.toString()).pos()).toArray();
    Texts texts = new Texts();
    BinaryDecoder[] in = new BinaryDecoder[1];
    GenericRecord[] record = new GenericRecord[1];
    return (value, into) -> {
      try {
        in[0] = DecoderFactory.get().binaryDecoder(value, in[0]);
        record[0] = reader.read(record[0], in[0]);
      } catch (IOException e) {
        throw new InvalidExampleException(e.getMessage());
      }
      for (int i = 0; i < places.length; i++) {
        Object found = record[0].get(places[i]);
        if (found instanceof Utf8 text) {
          into.setText(i, texts.of(text.getBytes(), 0, text.getByteLength()));
        } else {
          setNumber(into, i, found);
        }
      }
    };
  }

  private static RecordFormat protobuf(Descriptor message, FieldPlan plan) {
    List<FieldDescriptor> fields =
        plan.fields().stream().map(path -> message.findFieldByName(path.toString())).toList();
    return (value, into) -> {
      DynamicMessage read;
      try {
        read = DynamicMessage.parseFrom(message, value);
      } catch (IOException e) {
        throw new InvalidExampleException(e.getMessage());
      }
      for (int i = 0; i < fields.size(); i++) {
        Object found = read.getField(fields.get(i));
        if (found instanceof String text) {
          into.setText(i, text);
        } else {
          setNumber(into, i, found);
        }
      }
    };
  }

  private static void setNumber(FieldValues into, int field, Object found) {
    if (found instanceof Double number) {
      into.setDouble(field, number);
    } else {
      into.setLong(field, (Integer) found);
    }
  }

  /** A record of some numbers, some words and a label. */
  private record Records(int numbers, int words) {

    private static final int LABEL = 100;
    private static final int FIRST_WORD = 50;

    private String each(String number, String word, String label) {
      StringJoiner fields = new StringJoiner(",");
      for (int i = 0; i < numbers; i++) {
        fields.add(number.formatted(i));
      }
      for (int i = 0; i < words; i++) {
        fields.add(word.formatted(i));
      }
      return fields.add(label).toString();
    }

    String fields() {
      return "["
          + each(
              "{\"path\":\"n%s\",\"kind\":\"number\",\"scale\":\"none\",\"missing\":0}",
              "{\"path\":\"w%s\",\"kind\":\"category\",\"buckets\":64}",
              "{\"path\":\"label\",\"role\":\"label\"}")
          + "]";
    }

    String schema() {
      return "{\"type\":\"record\",\"name\":\"Flow\",\"fields\":["
          + each(
              "{\"name\":\"n%s\",\"type\":\"double\"}",
              "{\"name\":\"w%s\",\"type\":\"string\"}", "{\"name\":\"label\",\"type\":\"int\"}")
          + "]}";
    }

    FileDescriptorProto proto() {
      DescriptorProto.Builder flow = DescriptorProto.newBuilder().setName("Flow");
      for (int i = 0; i < numbers; i++) {
        add(flow, "n" + i, i + 1, FieldDescriptorProto.Type.TYPE_DOUBLE);
      }
      for (int i = 0; i < words; i++) {
        add(flow, "w" + i, FIRST_WORD + i, FieldDescriptorProto.Type.TYPE_STRING);
      }
      add(flow, "label", LABEL, FieldDescriptorProto.Type.TYPE_INT32);
      return FileDescriptorProto.newBuilder()
          .setName("flow.proto")
          .setSyntax("proto3")
          .addMessageType(flow)
          .build();
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

    Descriptor message() throws Exception {
      return FileDescriptor.buildFrom(proto(), new FileDescriptor[0]).findMessageTypeByName("Flow");
    }

    List<byte[]> values(boolean avro) throws Exception {
      Random random = new Random(19);
      Schema schema = new Schema.Parser().parse(schema());
      Descriptor message = message();
      List<byte[]> values = new ArrayList<>();
      for (int record = 0; record < DIFFERENT; record++) {
        GenericRecord one = new GenericData.Record(schema);
        DynamicMessage.Builder other = DynamicMessage.newBuilder(message);
        for (Schema.Field field : schema.getFields()) {
          Object value =
              switch (field.schema().getType()) {
                case DOUBLE -> 1000 * random.nextDouble();
                case STRING -> "word-" + random.nextInt(70);
                default -> random.nextInt(2);
              };
          one.put(field.pos(), value);
          other.setField(message.findFieldByName(field.name()), value);
        }
        values.add(avro ? bytes(schema, one) : other.build().toByteArray());
      }
      return values;
    }

    private static byte[] bytes(Schema schema, GenericRecord record) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
      encoder.flush();
      return out.toByteArray();
    }
  }
}
