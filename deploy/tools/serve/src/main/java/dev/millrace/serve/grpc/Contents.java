package dev.millrace.serve.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.serve.RefusedRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Makes bytes of {@code InferTensorContents}, as a tensor of its datatype has them. */
final class Contents {

  private static final int NONE = 0;

  /** Hears of bytes before they are made. */
  interface Memory {

    void take(int bytes) throws RefusedRequestException;
  }

  private final Memory memory;

  /** The field that elements are in; a tensor has them in one. */
  private int field = NONE;

  private ByteBuffer bytes = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  Contents(Memory memory) {
    this.memory = memory;
  }

  /** Reads all of it. */
  void read(CodedInputStream in) throws IOException, RefusedRequestException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      if (number < 1 || number > 8) {
        in.skipField(tag);
        continue;
      }
      if (field != NONE && field != number) {
        throw RefusedRequestException.bad(
            "The contents of an input have elements of two kinds; give those of its datatype");
      }
      field = number;
      if (number == 8) {
        byte[] text = in.readByteArray();
        room(Integer.BYTES + text.length).putInt(text.length).put(text);
      } else {
        Nested.readPacked(in, tag, element -> add(number, element));
      }
    }
  }

  private void add(int number, CodedInputStream in) throws IOException, RefusedRequestException {
    switch (number) {
      case 1 -> room(1).put((byte) (in.readBool() ? 1 : 0));
      case 2 -> room(Integer.BYTES).putInt(in.readInt32());
      case 3 -> room(Long.BYTES).putLong(in.readInt64());
      case 4 -> room(Integer.BYTES).putInt(in.readUInt32());
      case 5 -> room(Long.BYTES).putLong(in.readUInt64());
      case 6 -> room(Float.BYTES).putFloat(in.readFloat());
      default -> room(Double.BYTES).putDouble(in.readDouble());
    }
  }

  private ByteBuffer room(int size) throws RefusedRequestException {
    memory.take(size);
    if (bytes.remaining() < size) {
      int capacity = Math.max(2 * bytes.capacity(), bytes.position() + size);
      bytes = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
    }
    return bytes;
  }

  boolean isEmpty() {
    return field == NONE;
  }

  /**
   * Returns the elements.
   *
   * @param name of the input, for messages
   * @throws RefusedRequestException if they are of another kind than the datatype's
   */
  ByteBuffer bytes(String name, String datatype) throws RefusedRequestException {
    int wanted =
        switch (datatype) {
          case "BOOL" -> 1;
          case "INT8", "INT16", "INT32" -> 2;
          case "INT64" -> 3;
          case "UINT8", "UINT16", "UINT32" -> 4;
          case "UINT64" -> 5;
          case "FP32" -> 6;
          case "FP64" -> 7;
          case "BYTES" -> 8;
          default -> field;
        };
    if (field != NONE && field != wanted) {
      throw RefusedRequestException.bad(
          "The contents of \"%s\" aren't where those of %s are; fill the field of its datatype"
              .formatted(name, datatype));
    }
    ByteBuffer all = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
    return switch (datatype) {
      case "INT8", "UINT8" -> narrow(all, Byte.BYTES, name, datatype);
      case "INT16", "UINT16" -> narrow(all, Short.BYTES, name, datatype);
      default -> all;
    };
  }

  /** Small numbers come as those of four bytes. */
  private static ByteBuffer narrow(ByteBuffer all, int size, String name, String datatype)
      throws RefusedRequestException {
    boolean signed = datatype.startsWith("INT");
    int count = all.remaining() / Integer.BYTES;
    ByteBuffer narrow = ByteBuffer.allocate(count * size).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      int value = all.getInt();
      int kept = size == Byte.BYTES ? (byte) value : (short) value;
      int back = signed ? kept : kept & (size == Byte.BYTES ? 0xff : 0xffff);
      if (back != value) {
        throw RefusedRequestException.bad(
            "The contents of \"%s\" have %s as element %s, which %s doesn't hold; give another datatype"
                .formatted(name, Integer.toUnsignedString(value), i, datatype));
      }
      if (size == Byte.BYTES) {
        narrow.put((byte) kept);
      } else {
        narrow.putShort((short) kept);
      }
    }
    return narrow.flip();
  }
}
