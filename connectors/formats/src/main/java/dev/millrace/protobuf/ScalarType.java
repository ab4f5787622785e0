package dev.millrace.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.Targets;
import java.io.IOException;
import java.math.BigInteger;

/** Reads values of a field's type, one at a time, and knows what an absent one stands for. */
final class ScalarType {

  private final FieldDescriptor field;

  /**
   * Takes the type of a field.
   *
   * @param field no message and no group
   */
  ScalarType(FieldDescriptor field) {
    this.field = field;
  }

  void read(ProtobufInput in, FieldValues into, Targets targets)
      throws IOException, InvalidExampleException {
    CodedInputStream stream = in.stream();
    switch (field.getType()) {
      case DOUBLE -> targets.setDouble(into, stream.readDouble());
      case FLOAT -> targets.setDouble(into, stream.readFloat());
      case INT64 -> targets.setLong(into, stream.readInt64());
      case UINT64 -> setUnsigned(into, targets, stream.readUInt64());
      case INT32 -> targets.setLong(into, stream.readInt32());
      case FIXED64 -> setUnsigned(into, targets, stream.readFixed64());
      case FIXED32 -> targets.setLong(into, Integer.toUnsignedLong(stream.readFixed32()));
      case BOOL -> targets.setBoolean(into, stream.readBool());
      case STRING -> targets.setText(into, in.readText());
      case BYTES -> {
        stream.skipRawBytes(stream.readRawVarint32());
        targets.setOther(into, "bytes");
      }
      case UINT32 -> targets.setLong(into, Integer.toUnsignedLong(stream.readUInt32()));
      case ENUM -> targets.setText(into, name(field.getEnumType(), stream.readEnum()));
      case SFIXED32 -> targets.setLong(into, stream.readSFixed32());
      case SFIXED64 -> targets.setLong(into, stream.readSFixed64());
      case SINT32 -> targets.setLong(into, stream.readSInt32());
      case SINT64 -> targets.setLong(into, stream.readSInt64());
      case MESSAGE, GROUP -> throw new IllegalStateException(field + " is a message");
    }
  }

  /** Sets what a field without presence has where it isn't written. */
  void setDefault(FieldValues into, Targets targets) {
    switch (field.getJavaType()) {
      case BOOLEAN -> targets.setBoolean(into, false);
      case STRING -> targets.setText(into, "");
      case BYTE_STRING -> targets.setOther(into, "bytes");
      case ENUM -> targets.setText(into, field.getEnumType().getValues().get(0).getName());
      default -> targets.setLong(into, 0);
    }
  }

  /** A number that a newer writer knows is a word, too. */
  static String name(EnumDescriptor type, int number) {
    EnumValueDescriptor value = type.findValueByNumber(number);
    return value == null ? Integer.toString(number) : value.getName();
  }

  private static void setUnsigned(FieldValues into, Targets targets, long value) {
    if (value >= 0) {
      targets.setLong(into, value);
    } else {
      targets.setWhole(into, new BigInteger(Long.toUnsignedString(value)));
    }
  }
}
