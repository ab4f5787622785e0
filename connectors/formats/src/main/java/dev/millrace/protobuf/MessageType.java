package dev.millrace.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds a message's descriptor in a set of files, as {@code protoc --descriptor_set_out} makes. */
final class MessageType {

  private final Map<String, FileDescriptorProto> protos = new HashMap<>();
  private final Map<String, FileDescriptor> files = new HashMap<>();

  private MessageType() {}

  /**
   * A message's descriptor.
   *
   * @param set a serialized {@code FileDescriptorSet}
   * @param name the message's, with its package
   * @throws IllegalArgumentException if it can't be found, saying why and what to do
   */
  static Descriptor of(byte[] set, String name) {
    try {
      return new MessageType().find(FileDescriptorSet.parseFrom(set), name);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "it is no set of descriptors (%s); make it by protoc --include_imports --descriptor_set_out=FILE"
              .formatted(e.getMessage()),
          e);
    } catch (DescriptorValidationException e) {
      throw new IllegalArgumentException("its descriptors are wrong: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      // Not all that can be wrong is looked for before it is used.
      throw new IllegalArgumentException("its descriptors are wrong", e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("its files or messages are nested too deep", e);
    }
  }

  private Descriptor find(FileDescriptorSet set, String name) throws DescriptorValidationException {
    set.getFileList().forEach(proto -> protos.put(proto.getName(), proto));
    List<String> known = new ArrayList<>();
    for (FileDescriptorProto proto : set.getFileList()) {
      for (Descriptor message : file(proto.getName()).getMessageTypes()) {
        Descriptor found = find(message, name, known);
        if (found != null) {
          return found;
        }
      }
    }
    throw new IllegalArgumentException(
        "it has no message %s; it has %s".formatted(name, String.join(", ", known)));
  }

  private static Descriptor find(Descriptor message, String name, List<String> known) {
    known.add(message.getFullName());
    if (message.getFullName().equals(name)) {
      return message;
    }
    for (Descriptor nested : message.getNestedTypes()) {
      Descriptor found = find(nested, name, known);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private FileDescriptor file(String name) throws DescriptorValidationException {
    FileDescriptor made = files.get(name);
    if (made != null) {
      return made;
    }
    FileDescriptorProto proto = protos.get(name);
    if (proto == null) {
      throw new IllegalArgumentException(
          "it lacks %s, which is imported; make it by protoc --include_imports".formatted(name));
    }
    // Taken out, so that files which import each other are missing instead of endless.
    protos.remove(name);
    List<FileDescriptor> imports = new ArrayList<>();
    for (String imported : proto.getDependencyList()) {
      imports.add(file(imported));
    }
    FileDescriptor file = FileDescriptor.buildFrom(proto, imports.toArray(FileDescriptor[]::new));
    files.put(name, file);
    return file;
  }
}
