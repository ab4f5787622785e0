package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.Targets;
import java.io.IOException;

/** The nodes of single fields, of repeated ones, and of maps. */
final class FieldNodes {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MILLIS_PER_SECOND = 1000;

  static final int SECONDS = 1;
  static final int NANOS = 2;

  private FieldNodes() {}

  /** Skips a field that is wanted only because another of its oneof is. */
  static FieldNode skipped() {
    return (in, tag, into) -> in.skip(tag);
  }

  static FieldNode scalar(FieldDescriptor field, Targets targets) {
    ScalarType type = new ScalarType(field);
    int wire = field.getLiteType().getWireType();
    return new FieldNode() {
      @Override
      public void read(ProtobufInput in, int tag, FieldValues into)
          throws IOException, InvalidExampleException {
        requireWire(field, tag, wire);
        type.read(in, into, targets);
      }

      @Override
      public void absent(FieldValues into) {
        if (!field.hasPresence()) {
          type.setDefault(into, targets);
        }
      }
    };
  }

  /**
   * Reads a message.
   *
   * @param targets of the message as a whole, which is no feature
   */
  static FieldNode message(FieldDescriptor field, Targets targets, MessageNode message) {
    return (in, tag, into) -> {
      requireWire(field, tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      targets.setOther(into, "a message");
      in.within(() -> message.read(in, into));
    };
  }

  /** Reads a {@code Timestamp} or a {@code Duration} as milliseconds. */
  static FieldNode time(FieldDescriptor field, Targets targets) {
    return (in, tag, into) -> {
      requireWire(field, tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      long[] parts = new long[2];
      in.within(
          () -> {
            for (int part = in.nextTag(); part != 0; part = in.nextTag()) {
              int number = WireFormat.getTagFieldNumber(part);
              if (number > parts.length) {
                in.skip(part);
              } else if (WireFormat.getTagWireType(part) == WireFormat.WIRETYPE_VARINT) {
                parts[number - 1] = in.stream().readInt64();
              } else {
                throw new InvalidExampleException(
                    "\"%s\": seconds and nanoseconds expected".formatted(field.getName()));
              }
            }
          });
      targets.setLong(into, millis(field, parts[0], parts[1]));
    };
  }

  static long millis(FieldDescriptor field, long seconds, long nanos)
      throws InvalidExampleException {
    try {
      return Math.addExact(
          Math.multiplyExact(seconds, MILLIS_PER_SECOND), Math.floorDiv(nanos, NANOS_PER_MILLI));
    } catch (ArithmeticException e) {
      throw new InvalidExampleException(
          "\"%s\": a time of %s s, which is beyond any calendar"
              .formatted(field.getName(), seconds));
    }
  }

  /** Reads an element behind its tag, or its place in a packed array. */
  interface Element {
    void read(ProtobufInput in, FieldValues into) throws IOException, InvalidExampleException;
  }

  static Element scalarElement(FieldDescriptor field, Targets targets) {
    ScalarType type = new ScalarType(field);
    return (in, into) -> type.read(in, into, targets);
  }

  static void requireWire(FieldDescriptor field, int tag, int wire) throws InvalidExampleException {
    if (WireFormat.getTagWireType(tag) != wire) {
      throw new InvalidExampleException(
          "\"%s\": wire type %s expected, %s found"
              .formatted(field.getName(), wire, WireFormat.getTagWireType(tag)));
    }
  }
}
