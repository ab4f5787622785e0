package dev.millrace.avro;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonBytes;
import dev.millrace.fields.RecordObjects;
import java.io.IOException;
import java.math.BigDecimal;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Makes objects of records of one schema, without a header. Times are milliseconds since the epoch,
 * and other numbers keep their digits; an enum is its symbol, a union what it holds. Bytes are in
 * Base64, if they are no decimal and no UUID.
 */
final class AvroObjects implements RecordObjects {

  private final String schema;

  private transient Schema parsed;
  private transient AvroInput in;

  /**
   * Makes objects.
   *
   * @param schema of all records, as JSON
   * @throws IllegalArgumentException if it is no schema
   */
  AvroObjects(String schema) {
    this.schema = schema;
    AvroSchemas.of(schema);
  }

  @Override
  public byte[] json(byte[] value) throws InvalidExampleException {
    if (parsed == null) {
      parsed = AvroSchemas.of(schema);
      in = new AvroInput();
    }
    return json(value, 0, parsed, in);
  }

  /**
   * Makes an object of a record.
   *
   * @param from where it begins in the value
   */
  static byte[] json(byte[] value, int from, Schema schema, AvroInput in)
      throws InvalidExampleException {
    byte[][] made = new byte[1][];
    in.readWhole(value, from, () -> made[0] = JsonBytes.of(out -> write(schema, in, out)));
    return made[0];
  }

  private static void write(Schema schema, AvroInput in, JsonGenerator out)
      throws IOException, InvalidExampleException {
    switch (schema.getType()) {
      case RECORD -> writeRecord(schema, in, out);
      case UNION -> {
        int branch = in.readChoice(schema.getTypes().size(), "the branch of a union");
        write(schema.getTypes().get(branch), in, out);
      }
      case ARRAY -> writeArray(schema.getElementType(), in, out);
      case MAP -> writeMap(schema.getValueType(), in, out);
      case NULL -> out.writeNull();
      case BOOLEAN -> out.writeBoolean(in.readBoolean());
      case INT -> out.writeNumber(in.readInt() * ScalarNodes.factor(schema.getLogicalType()));
      case LONG ->
          out.writeNumber(
              Math.floorDiv(in.readLong(), ScalarNodes.divisor(schema.getLogicalType())));
      // The same number as that which is read without JSON, not the shortest text for a float.
      case FLOAT -> out.writeNumber((double) in.readFloat());
      case DOUBLE -> out.writeNumber(in.readDouble());
      case STRING -> out.writeString(in.readText());
      case ENUM ->
          out.writeString(
              schema
                  .getEnumSymbols()
                  .get(
                      in.readChoice(
                          schema.getEnumSymbols().size(), "the number of an enum's symbol")));
      case BYTES -> writeBytes(schema, in.readLength(), in, out);
      case FIXED -> writeBytes(schema, schema.getFixedSize(), in, out);
    }
  }

  private static void writeRecord(Schema schema, AvroInput in, JsonGenerator out)
      throws IOException, InvalidExampleException {
    in.enterRecord(schema.getFields().size());
    out.writeStartObject();
    for (Schema.Field field : schema.getFields()) {
      out.writeFieldName(field.name());
      write(field.schema(), in, out);
    }
    out.writeEndObject();
    in.leave();
  }

  private static void writeArray(Schema element, AvroInput in, JsonGenerator out)
      throws IOException, InvalidExampleException {
    in.enter();
    out.writeStartArray();
    for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
      for (long i = 0; i < count; i++) {
        write(element, in, out);
      }
    }
    out.writeEndArray();
    in.leave();
  }

  private static void writeMap(Schema value, AvroInput in, JsonGenerator out)
      throws IOException, InvalidExampleException {
    in.enter();
    out.writeStartObject();
    for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
      for (long i = 0; i < count; i++) {
        out.writeFieldName(in.readText());
        write(value, in, out);
      }
    }
    out.writeEndObject();
    in.leave();
  }

  private static void writeBytes(Schema schema, int length, AvroInput in, JsonGenerator out)
      throws IOException, InvalidExampleException {
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal type) {
      BigDecimal decimal = ScalarNodes.decimal(in, length, type);
      if (decimal.scale() == 0) {
        out.writeNumber(decimal.unscaledValue());
      } else {
        out.writeNumber(decimal);
      }
      return;
    }
    int from = in.position();
    in.skip(length);
    if (ScalarNodes.isUuid(schema)) {
      out.writeString(ScalarNodes.uuid(in.value(), from).toString());
    } else {
      out.writeBinary(in.value(), from, length);
    }
  }
}
