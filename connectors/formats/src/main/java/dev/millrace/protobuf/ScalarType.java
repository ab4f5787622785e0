package dev.millrace.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import java.io.IOException;
import java.math.BigInteger;

/** Reads values of a field's type, one at a time, and knows what an absent one stands for. */
final class ScalarType {

  private final FieldDescriptor field;

  /**
   * Of a field.
   *
   * @param field no message and no group
   */
  ScalarType(FieldDescriptor field) {
    this.field = field;
  }

  void read(ProtobufInput in, FieldValues into, int[] targets)
      throws IOException, InvalidExampleException {
    CodedInputStream stream = in.stream();
    switch (field.getType()) {
      case DOUBLE -> setDouble(into, targets, stream.readDouble());
      case FLOAT -> setDouble(into, targets, stream.readFloat());
      case INT64 -> setLong(into, targets, stream.readInt64());
      case UINT64 -> setUnsigned(into, targets, stream.readUInt64());
      case INT32 -> setLong(into, targets, stream.readInt32());
      case FIXED64 -> setUnsigned(into, targets, stream.readFixed64());
      case FIXED32 -> setLong(into, targets, Integer.toUnsignedLong(stream.readFixed32()));
      case BOOL -> setBoolean(into, targets, stream.readBool());
      case STRING -> setText(into, targets, in.readText());
      case BYTES -> {
        stream.skipRawBytes(stream.readRawVarint32());
        setOther(into, targets, "bytes");
      }
      case UINT32 -> setLong(into, targets, Integer.toUnsignedLong(stream.readUInt32()));
      case ENUM -> setText(into, targets, name(field.getEnumType(), stream.readEnum()));
      case SFIXED32 -> setLong(into, targets, stream.readSFixed32());
      case SFIXED64 -> setLong(into, targets, stream.readSFixed64());
      case SINT32 -> setLong(into, targets, stream.readSInt32());
      case SINT64 -> setLong(into, targets, stream.readSInt64());
      case MESSAGE, GROUP -> throw new IllegalStateException(field + " is a message");
    }
  }

  /** Sets what a field without presence has where it isn't written. */
  void setDefault(FieldValues into, int[] targets) {
    switch (field.getJavaType()) {
      case BOOLEAN -> setBoolean(into, targets, false);
      case STRING -> setText(into, targets, "");
      case BYTE_STRING -> setOther(into, targets, "bytes");
      case ENUM -> setText(into, targets, field.getEnumType().getValues().get(0).getName());
      default -> setLong(into, targets, 0);
    }
  }

  /** A number that a newer writer knows is a word, too. */
  private static String name(EnumDescriptor type, int number) {
    EnumValueDescriptor value = type.findValueByNumber(number);
    return value == null ? Integer.toString(number) : value.getName();
  }

  private static void setUnsigned(FieldValues into, int[] targets, long value) {
    if (value >= 0) {
      setLong(into, targets, value);
    } else {
      BigInteger whole = new BigInteger(Long.toUnsignedString(value));
      for (int target : targets) {
        into.setWhole(target, whole);
      }
    }
  }

  static void setLong(FieldValues into, int[] targets, long value) {
    for (int target : targets) {
      into.setLong(target, value);
    }
  }

  private static void setDouble(FieldValues into, int[] targets, double value) {
    for (int target : targets) {
      into.setDouble(target, value);
    }
  }

  private static void setBoolean(FieldValues into, int[] targets, boolean value) {
    for (int target : targets) {
      into.setBoolean(target, value);
    }
  }

  private static void setText(FieldValues into, int[] targets, String value) {
    for (int target : targets) {
      into.setText(target, value);
    }
  }

  static void setOther(FieldValues into, int[] targets, String what) {
    for (int target : targets) {
      into.setOther(target, what);
    }
  }
}
