package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.SchemaField;
import dev.millrace.fields.SchemaField.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lists the fields that a message has, those of messages in it among them. */
final class ProtobufFields {

  private static final int MOST = 10_000;

  private final List<SchemaField> fields = new ArrayList<>();
  private final Set<String> within = new HashSet<>();

  private ProtobufFields() {}

  static List<SchemaField> of(Descriptor message) {
    ProtobufFields fields = new ProtobufFields();
    fields.add(message, FieldPath.ROOT);
    return fields.fields;
  }

  private void add(Descriptor message, FieldPath path) {
    within.add(message.getFullName());
    for (FieldDescriptor field : message.getFields()) {
      if (fields.size() < MOST) {
        add(field, path.then(field.getName()), field.hasPresence());
      }
    }
    within.remove(message.getFullName());
  }

  private void add(FieldDescriptor field, FieldPath path, boolean nullable) {
    if (field.isRepeated()) {
      fields.add(new SchemaField(path, Kind.OTHER, nullable));
      return;
    }
    switch (field.getType()) {
      case MESSAGE -> addMessage(field.getMessageType(), path, nullable);
      case ENUM ->
          fields.add(
              new SchemaField(
                  path,
                  Kind.VALUE,
                  field.getEnumType().getValues().stream()
                      .map(EnumValueDescriptor::getName)
                      .toList(),
                  nullable));
      case BYTES, GROUP -> fields.add(new SchemaField(path, Kind.OTHER, nullable));
      default -> fields.add(new SchemaField(path, Kind.VALUE, nullable));
    }
  }

  private void addMessage(Descriptor message, FieldPath path, boolean nullable) {
    if (ProtobufPlan.TIMES.contains(message.getFullName())) {
      boolean time = message.getFullName().endsWith("Timestamp");
      fields.add(new SchemaField(path, time ? Kind.MILLISECONDS : Kind.VALUE, nullable));
    } else if (ProtobufPlan.WRAPPERS.contains(message.getFullName())) {
      boolean bytes = message.getFullName().endsWith("BytesValue");
      fields.add(new SchemaField(path, bytes ? Kind.OTHER : Kind.VALUE, nullable));
    } else if (within.contains(message.getFullName())) {
      // A message within itself has no end.
      fields.add(new SchemaField(path, Kind.OTHER, nullable));
    } else {
      add(message, path);
    }
  }
}
