package dev.millrace.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.Texts;
import java.io.IOException;

/**
 * The bytes of one value, read by Protobuf's stream, which checks lengths before it believes them.
 *
 * <p>Not thread-safe.
 */
final class ProtobufInput {

  private final Texts texts = new Texts();
  private byte[] value;
  private int base;
  private CodedInputStream stream;

  void begin(byte[] newValue, int from) {
    value = newValue;
    base = from;
    stream = CodedInputStream.newInstance(newValue, from, newValue.length - from);
  }

  CodedInputStream stream() {
    return stream;
  }

  /** Returns how much of the value is read. */
  int position() {
    return base + stream.getTotalBytesRead();
  }

  /** The next field's tag; 0 at the end of the message. */
  int nextTag() throws IOException, InvalidExampleException {
    int tag = stream.readTag();
    if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP) {
      throw new InvalidExampleException("the end of a group that never began");
    }
    return tag;
  }

  void skip(int tag) throws IOException {
    stream.skipField(tag);
  }

  String readText() throws IOException, InvalidExampleException {
    int length = stream.readRawVarint32();
    int from = position();
    stream.skipRawBytes(length);
    return texts.of(value, from, from + length);
  }

  /** What is read of a message within the value. */
  interface Part {
    void read() throws IOException, InvalidExampleException;
  }

  /** Reads a message whose length comes first. */
  void within(Part part) throws IOException, InvalidExampleException {
    int limit = stream.pushLimit(stream.readRawVarint32());
    part.read();
    if (!stream.isAtEnd()) {
      throw new InvalidExampleException("a message that continues after its end");
    }
    stream.popLimit(limit);
  }

  /** Reads bytes once more that were read before. */
  void again(int from, int length, Part part) throws IOException, InvalidExampleException {
    CodedInputStream later = stream;
    int laterBase = base;
    base = from;
    stream = CodedInputStream.newInstance(value, from, length);
    part.read();
    stream = later;
    base = laterBase;
  }
}
