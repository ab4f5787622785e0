package dev.millrace.avro;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Writes records with Avro's own writer, and tells what was read of them. */
final class Flows {

  private Flows() {}

  static Schema schema(String fields) {
    return new Schema.Parser()
        .parse("{\"type\":\"record\",\"name\":\"Flow\",\"fields\":[%s]}".formatted(fields));
  }

  static byte[] bytes(Schema schema, Object datum) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    try {
      new GenericDatumWriter<>(schema).write(datum, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  /** A record of names and values in turn. */
  static GenericRecord flow(Schema schema, Object... namesAndValues) {
    GenericRecord flow = new GenericData.Record(schema);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      flow.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return flow;
  }

  static FieldPlan plan(String... paths) {
    return new FieldPlan(paths(paths), Optional.empty(), List.of());
  }

  static FieldPlan sequence(String path, String... stepPaths) {
    return new FieldPlan(List.of(), Optional.of(FieldPath.of(path)), paths(stepPaths));
  }

  private static List<FieldPath> paths(String... paths) {
    return Stream.of(paths).map(FieldPath::of).toList();
  }

  /** The values in words, so that kinds are compared too. */
  static List<String> told(FieldValues values, int fields) {
    return IntStream.range(0, fields)
        .mapToObj(field -> told(values, field, values.kind(field)))
        .toList();
  }

  private static String told(FieldValues values, int field, FieldValues.Kind kind) {
    return switch (kind) {
      case MISSING -> "missing";
      case LONG -> "long " + values.longAt(field);
      case DOUBLE -> "double " + values.doubleAt(field);
      case BOOLEAN -> "boolean " + values.booleanAt(field);
      case TEXT, CELL -> "text " + values.textAt(field);
      case LIST ->
          "list "
              + IntStream.range(0, values.listAt(field).steps())
                  .mapToObj(i -> told(values.listAt(field).step(i), 1).get(0))
                  .toList();
      case OTHER -> "other " + values.otherAt(field);
    };
  }
}
