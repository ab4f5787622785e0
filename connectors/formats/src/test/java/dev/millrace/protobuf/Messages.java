package dev.millrace.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Timestamp;
import com.google.protobuf.TimestampProto;

/** The descriptors of a message with every kind of field, of proto2's enums, and one message. */
final class Messages {

  /** The message {@code Old} has an enum of proto2, {@code state}, whose only number is 1. */
  static final byte[] PROTO2 = proto2().toByteArray();

  static final byte[] SET = set().toByteArray();
  static final Descriptor FLOW = MessageType.of(SET, "net.Flow");

  private static final Descriptor STEP = MessageType.of(SET, "net.Flow.Step");

  private Messages() {}

  static FileDescriptorSet set() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("flow.proto")
            .setPackage("net")
            .setSyntax("proto3")
            .addDependency("google/protobuf/timestamp.proto")
            .addEnumType(
                EnumDescriptorProto.newBuilder()
                    .setName("Status")
                    .addValue(EnumValueDescriptorProto.newBuilder().setName("OK").setNumber(0))
                    .addValue(EnumValueDescriptorProto.newBuilder().setName("FRAUD").setNumber(3)))
            .addMessageType(DescriptorProto.newBuilder().setName("Other"))
            .addMessageType(flow())
            .build();
    return FileDescriptorSet.newBuilder()
        .addFile(file)
        .addFile(TimestampProto.getDescriptor().toProto())
        .build();
  }

  private static FileDescriptorSet proto2() {
    return FileDescriptorSet.newBuilder()
        .addFile(
            FileDescriptorProto.newBuilder()
                .setName("old.proto")
                .setSyntax("proto2")
                .addEnumType(
                    EnumDescriptorProto.newBuilder()
                        .setName("State")
                        .addValue(
                            EnumValueDescriptorProto.newBuilder().setName("NEW").setNumber(1)))
                .addMessageType(
                    DescriptorProto.newBuilder()
                        .setName("Old")
                        .addField(
                            field("state", 1, FieldDescriptorProto.Type.TYPE_ENUM)
                                .setTypeName(".State"))))
        .build();
  }

  private static DescriptorProto flow() {
    return DescriptorProto.newBuilder()
        .setName("Flow")
        .addField(field("duration", 1, FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field("protocol", 2, FieldDescriptorProto.Type.TYPE_STRING))
        .addField(
            field("count", 3, FieldDescriptorProto.Type.TYPE_INT64)
                .setProto3Optional(true)
                .setOneofIndex(1))
        .addField(field("flag", 4, FieldDescriptorProto.Type.TYPE_BOOL))
        .addField(
            field("status", 5, FieldDescriptorProto.Type.TYPE_ENUM).setTypeName(".net.Status"))
        .addField(
            field("at", 6, FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(".google.protobuf.Timestamp"))
        .addField(field("big", 7, FieldDescriptorProto.Type.TYPE_UINT64))
        .addField(
            field("steps", 8, FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(".net.Flow.Step")
                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
        .addField(
            field("numbers", 9, FieldDescriptorProto.Type.TYPE_SINT32)
                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
        .addField(
            field("tags", 10, FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(".net.Flow.TagsEntry")
                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
        .addField(field("card", 11, FieldDescriptorProto.Type.TYPE_STRING).setOneofIndex(0))
        .addField(field("cash", 12, FieldDescriptorProto.Type.TYPE_INT32).setOneofIndex(0))
        .addField(field("raw", 13, FieldDescriptorProto.Type.TYPE_BYTES))
        .addField(
            field("step", 14, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".net.Flow.Step"))
        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("payment"))
        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_count"))
        .addNestedType(
            DescriptorProto.newBuilder()
                .setName("Step")
                .addField(field("x", 1, FieldDescriptorProto.Type.TYPE_FLOAT))
                .addField(field("y", 2, FieldDescriptorProto.Type.TYPE_INT32)))
        .addNestedType(
            DescriptorProto.newBuilder()
                .setName("TagsEntry")
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
                .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_INT32)))
        .build();
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static DynamicMessage.Builder with(Descriptor type, Object... namesAndValues) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      message.setField(type.findFieldByName((String) namesAndValues[i]), namesAndValues[i + 1]);
    }
    return message;
  }

  private static DynamicMessage.Builder step(float x, int y) {
    return with(STEP, "x", x, "y", y);
  }

  static byte[] usual() {
    DynamicMessage.Builder flow =
        with(
            FLOW,
            "duration",
            1.5,
            "protocol",
            "tcp ☂",
            "count",
            0L,
            "flag",
            true,
            "status",
            FLOW.getFile().findEnumTypeByName("Status").findValueByNumber(3),
            "at",
            Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(123_000_000).build(),
            "big",
            -1L,
            "cash",
            5,
            "raw",
            ByteString.copyFromUtf8("?"),
            "step",
            step(0.5f, 0).build());
    flow.addRepeatedField(FLOW.findFieldByName("steps"), step(1.5f, 1).build());
    flow.addRepeatedField(FLOW.findFieldByName("steps"), step(2.5f, 2).build());
    flow.addRepeatedField(FLOW.findFieldByName("numbers"), -4);
    flow.addRepeatedField(FLOW.findFieldByName("numbers"), 4);
    Descriptor entry = FLOW.findFieldByName("tags").getMessageType();
    flow.addRepeatedField(
        FLOW.findFieldByName("tags"), with(entry, "key", "a", "value", 1).build());
    flow.addRepeatedField(
        FLOW.findFieldByName("tags"), with(entry, "key", "b", "value", 2).build());
    return flow.build().toByteArray();
  }
}
