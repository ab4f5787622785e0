package dev.millrace.serve.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.serve.RefusedRequestException;
import java.io.IOException;

/** Reads what has a length of its own in a message. */
final class Nested {

  private Nested() {}

  /** Reads a part of a message. */
  interface Part {

    void read(CodedInputStream in) throws IOException, RefusedRequestException;
  }

  /** Reads a message in the message, to its end. */
  static void read(CodedInputStream in, Part part) throws IOException, RefusedRequestException {
    int limit = in.pushLimit(in.readRawVarint32());
    part.read(in);
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }

  /** Reads numbers: many behind their length, or one, as the tag says. */
  static void readPacked(CodedInputStream in, int tag, Part number)
      throws IOException, RefusedRequestException {
    if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      number.read(in);
      return;
    }
    int limit = in.pushLimit(in.readRawVarint32());
    while (in.getBytesUntilLimit() > 0) {
      number.read(in);
    }
    in.popLimit(limit);
  }
}
