package dev.millrace.protobuf;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.example.InvalidExampleException;
import java.util.List;

/** Puts descriptors of files together, as the formats take them. */
public final class DescriptorSet {

  private DescriptorSet() {}

  /**
   * Returns a serialized {@code FileDescriptorSet}.
   *
   * @param files each a serialized {@code FileDescriptorProto}
   * @throws IllegalArgumentException if one isn't
   */
  public static byte[] of(List<byte[]> files) {
    FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
    for (byte[] file : files) {
      try {
        set.addFile(FileDescriptorProto.parseFrom(file));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalArgumentException("A file's descriptor is none", e);
      }
    }
    return set.build().toByteArray();
  }

  /**
   * Returns the full name of the message that a value of a registry's serializer holds.
   *
   * @param file that its schema is
   * @throws IllegalArgumentException if the file has no such message
   */
  public static String message(byte[] file, byte[] value) {
    try {
      FileDescriptorProto proto = FileDescriptorProto.parseFrom(file);
      StringBuilder name = new StringBuilder(proto.getPackage());
      List<DescriptorProto> among = proto.getMessageTypeList();
      for (int index : MessageIndexes.of(value)) {
        if (index < 0 || index >= among.size()) {
          throw new IllegalArgumentException("The schema has no message at place " + index);
        }
        name.append(name.isEmpty() ? "" : ".").append(among.get(index).getName());
        among = among.get(index).getNestedTypeList();
      }
      return name.toString();
    } catch (InvalidProtocolBufferException | InvalidExampleException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
