package dev.millrace.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.WireHeader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Which message of its file a value holds, as Confluent's serializer writes it behind the schema's
 * id: how many numbers there are, then the place among the file's messages, and among those nested
 * in each. A single 0 stands for the first.
 */
final class MessageIndexes {

  private static final int MOST = 64;

  private final int[] expected;

  MessageIndexes(Descriptor message) {
    Deque<Integer> indexes = new ArrayDeque<>();
    for (Descriptor at = message; at != null; at = at.getContainingType()) {
      indexes.addFirst(at.getIndex());
    }
    this.expected = indexes.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Returns where the message begins.
   *
   * @throws InvalidExampleException if the value has no header, or holds another message
   */
  int skip(byte[] value) throws InvalidExampleException {
    CodedInputStream in = behindId(value);
    int[] found = read(in);
    if (!Arrays.equals(found, expected)) {
      throw new InvalidExampleException(
          "the message at the places %s of its file expected, the one at %s found"
              .formatted(Arrays.toString(expected), Arrays.toString(found)));
    }
    return WireHeader.LENGTH + in.getTotalBytesRead();
  }

  /**
   * Returns the places that a value has.
   *
   * @throws InvalidExampleException if the value has no header
   */
  static int[] of(byte[] value) throws InvalidExampleException {
    return read(behindId(value));
  }

  private static CodedInputStream behindId(byte[] value) throws InvalidExampleException {
    WireHeader.id(value);
    return CodedInputStream.newInstance(value, WireHeader.LENGTH, value.length - WireHeader.LENGTH);
  }

  private static int[] read(CodedInputStream in) throws InvalidExampleException {
    try {
      int count = in.readSInt32();
      if (count < 0 || count > MOST) {
        throw new InvalidExampleException(
            "places of a message expected behind the schema's id, %s of them found"
                .formatted(count));
      }
      int[] found = new int[Math.max(1, count)];
      for (int i = 0; i < count; i++) {
        found[i] = in.readSInt32();
      }
      return found;
    } catch (IOException e) {
      throw new InvalidExampleException(
          "places of a message expected behind the schema's id, the value ends there");
    }
  }
}
