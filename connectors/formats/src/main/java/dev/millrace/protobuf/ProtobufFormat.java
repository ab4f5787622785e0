package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import java.io.IOException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The formats {@code protobuf} and {@code protobuf-confluent}: a value is one message. Fields are
 * told apart by number, so writers with a newer or older descriptor are read, too.
 */
final class ProtobufFormat implements RecordFormat {

  private static final Logger LOG = LoggerFactory.getLogger(ProtobufFormat.class);

  private final byte[] descriptors;
  private final String message;
  private final boolean hasHeader;
  private final FieldPlan plan;

  private transient MessageNode root;
  private transient MessageIndexes header;
  private transient ProtobufInput in;

  /**
   * Makes a format.
   *
   * @param descriptors a serialized {@code FileDescriptorSet}
   * @param message its name, with the package
   * @param hasHeader whether a value begins with the header of Confluent's serializer
   * @throws IllegalArgumentException if there is no such message
   */
  ProtobufFormat(byte[] descriptors, String message, boolean hasHeader, FieldPlan plan) {
    this.descriptors = descriptors.clone();
    this.message = Objects.requireNonNull(message, "message");
    this.hasHeader = hasHeader;
    this.plan = Objects.requireNonNull(plan, "plan");
    new ProtobufPlan(MessageType.of(descriptors, message), plan);
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    if (root == null) {
      Descriptor type = MessageType.of(descriptors, message);
      header = new MessageIndexes(type);
      in = new ProtobufInput();
      ProtobufPlan laid = new ProtobufPlan(type, plan);
      root = laid.root();
      if (!laid.missing().isEmpty()) {
        LOG.warn(
            "The message {} has no {}: missing in every record",
            message,
            String.join(", ", laid.missing()));
      }
    }
    in.begin(value, hasHeader ? header.skip(value) : 0);
    try {
      root.read(in, into);
    } catch (InvalidExampleException e) {
      throw notProtobuf(e.getMessage());
    } catch (IOException | RuntimeException e) {
      // The parser's words are about it, and it tells no kinds of mistakes apart.
      throw notProtobuf("a field expected, bytes found that are none, or less than it says it has");
    }
  }

  private InvalidExampleException notProtobuf(String reason) {
    return new InvalidExampleException(
        "not the Protobuf message %s at byte %s: %s".formatted(message, in.position(), reason));
  }
}
