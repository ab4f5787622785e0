package dev.millrace.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Int64Value;
import com.google.protobuf.Timestamp;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages that are values, in arrays: by their place, and as the steps of a sequence. */
class RepeatedValuesTest {

  private static final byte[] SET =
      FileDescriptorSet.newBuilder()
          .addFile(
              FileDescriptorProto.newBuilder()
                  .setName("r.proto")
                  .setSyntax("proto3")
                  .addDependency("google/protobuf/timestamp.proto")
                  .addDependency("google/protobuf/wrappers.proto")
                  .addMessageType(
                      DescriptorProto.newBuilder()
                          .setName("R")
                          .addField(repeated("at", 1, ".google.protobuf.Timestamp"))
                          .addField(repeated("n", 2, ".google.protobuf.Int64Value"))))
          .addFile(TimestampProto.getDescriptor().toProto())
          .addFile(WrappersProto.getDescriptor().toProto())
          .build()
          .toByteArray();

  private static FieldDescriptorProto repeated(String name, int number, String type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
        .setTypeName(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)
        .build();
  }

  private static byte[] value() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeMessage(1, Timestamp.newBuilder().setSeconds(1).build());
    out.writeMessage(1, Timestamp.newBuilder().setSeconds(2).setNanos(5_000_000).build());
    out.writeMessage(2, Int64Value.of(7));
    out.writeMessage(2, Int64Value.of(8));
    out.flush();
    return bytes.toByteArray();
  }

  private static FieldValues read(FieldPlan plan) throws Exception {
    FieldValues values = new FieldValues(plan);
    new ProtobufFormat(SET, "R", false, plan).read(value(), values);
    return values;
  }

  @Test
  void placesOfTimesAndWrappersAreNumbers() throws Exception {
    FieldValues values =
        read(
            new FieldPlan(
                List.of(FieldPath.of("at[1]"), FieldPath.of("n[0]")), Optional.empty(), List.of()));

    assertThat(values.kind(0)).isEqualTo(FieldValues.Kind.LONG);
    assertThat(values.longAt(0)).isEqualTo(2_005);
    assertThat(values.longAt(1)).isEqualTo(7);
  }

  @Test
  void stepsMayBeWrappers() throws Exception {
    FieldValues values =
        read(new FieldPlan(List.of(), Optional.of(FieldPath.of("n")), List.of(FieldPath.ROOT)));

    assertThat(values.steps()).isEqualTo(2);
    assertThat(values.step(1).kind(0)).isEqualTo(FieldValues.Kind.LONG);
    assertThat(values.step(1).longAt(0)).isEqualTo(8);
  }
}
