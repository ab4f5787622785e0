package dev.millrace.protobuf;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonBytes;
import dev.millrace.fields.RecordObjects;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;

/**
 * Makes objects of messages. Fields have the names of the descriptor. As for {@link
 * ProtobufFormat}, a field without presence is always there, times are milliseconds since the
 * epoch, a wrapper is what it holds, and an enum its name. Bytes are in Base64.
 */
final class ProtobufObjects implements RecordObjects {

  private final byte[] descriptors;
  private final String message;
  private final boolean hasHeader;

  private transient Descriptor type;
  private transient MessageIndexes header;

  /** Makes objects; the parameters are those of {@link ProtobufFormat}. */
  ProtobufObjects(byte[] descriptors, String message, boolean hasHeader) {
    this.descriptors = descriptors.clone();
    this.message = message;
    this.hasHeader = hasHeader;
    MessageType.of(descriptors, message);
  }

  @Override
  public byte[] json(byte[] value) throws InvalidExampleException {
    if (type == null) {
      type = MessageType.of(descriptors, message);
      header = new MessageIndexes(type);
    }
    int from = hasHeader ? header.skip(value) : 0;
    try {
      Message read =
          DynamicMessage.newBuilder(type)
              .mergeFrom(value, from, value.length - from)
              .buildPartial();
      return JsonBytes.of(out -> write(read, out));
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidExampleException(
          "not the Protobuf message %s: a field expected, bytes found that are none, or less than it says it has"
              .formatted(message));
    } catch (IOException e) {
      throw new InvalidExampleException("no JSON can be made of the message: " + e.getMessage());
    }
  }

  private static void write(Message message, JsonGenerator out)
      throws IOException, InvalidExampleException {
    out.writeStartObject();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated()) {
        if (message.getRepeatedFieldCount(field) > 0) {
          out.writeFieldName(field.getName());
          writeAll(field, (List<?>) message.getField(field), out);
        }
      } else if (!field.hasPresence() || message.hasField(field)) {
        out.writeFieldName(field.getName());
        write(field, message.getField(field), out);
      } else if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        writeUnknown(field, message.getUnknownFields().getField(field.getNumber()), out);
      }
    }
    out.writeEndObject();
  }

  /** A number that an enum of proto2 lacks isn't in its field; the last one that came counts. */
  private static void writeUnknown(
      FieldDescriptor field, UnknownFieldSet.Field found, JsonGenerator out) throws IOException {
    List<Long> numbers = found.getVarintList();
    if (!numbers.isEmpty()) {
      int number = numbers.get(numbers.size() - 1).intValue();
      out.writeStringField(field.getName(), ScalarType.name(field.getEnumType(), number));
    }
  }

  private static void writeAll(FieldDescriptor field, List<?> values, JsonGenerator out)
      throws IOException, InvalidExampleException {
    if (field.isMapField()) {
      Descriptor entry = field.getMessageType();
      FieldDescriptor key = entry.findFieldByNumber(ProtobufPlan.MAP_KEY);
      FieldDescriptor value = entry.findFieldByNumber(ProtobufPlan.MAP_VALUE);
      out.writeStartObject();
      for (Object one : values) {
        out.writeFieldName(unsigned(key, ((Message) one).getField(key)).toString());
        write(value, ((Message) one).getField(value), out);
      }
      out.writeEndObject();
    } else {
      out.writeStartArray();
      for (Object one : values) {
        write(field, one, out);
      }
      out.writeEndArray();
    }
  }

  private static void write(FieldDescriptor field, Object value, JsonGenerator out)
      throws IOException, InvalidExampleException {
    switch (field.getJavaType()) {
      case MESSAGE -> writeMessage(field, (Message) value, out);
      case ENUM ->
          out.writeString(
              ScalarType.name(field.getEnumType(), ((EnumValueDescriptor) value).getNumber()));
      case BYTE_STRING -> out.writeBinary(((ByteString) value).toByteArray());
      case FLOAT -> out.writeNumber(((Float) value).doubleValue());
      default -> out.writePOJO(unsigned(field, value));
    }
  }

  private static void writeMessage(FieldDescriptor field, Message value, JsonGenerator out)
      throws IOException, InvalidExampleException {
    String name = field.getMessageType().getFullName();
    if (ProtobufPlan.TIMES.contains(name)) {
      out.writeNumber(
          FieldNodes.millis(
              field,
              ((Number) part(value, FieldNodes.SECONDS)).longValue(),
              ((Number) part(value, FieldNodes.NANOS)).longValue()));
    } else if (ProtobufPlan.WRAPPERS.contains(name)) {
      FieldDescriptor wrapped = field.getMessageType().findFieldByName(ProtobufPlan.WRAPPED_VALUE);
      write(wrapped, value.getField(wrapped), out);
    } else {
      write(value, out);
    }
  }

  /** Returns a value, but a number without a sign as one of a type that holds it. */
  private static Object unsigned(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.toUnsignedLong((int) value);
      case UINT64, FIXED64 -> new BigInteger(Long.toUnsignedString((long) value));
      default -> value;
    };
  }

  private static Object part(Message message, int number) {
    return message.getField(message.getDescriptorForType().findFieldByNumber(number));
  }
}
