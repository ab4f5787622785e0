package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** Reads a message: of each field that is wanted its value, and skips the others. */
final class MessageNode {

  private final int[] numbers;
  private final FieldDescriptor[] fields;
  private final FieldNode[] nodes;

  /** The lowest index, for each field, of those in its oneof; a message has one of them. */
  private final int[] alternatives;

  private final BitSet seen = new BitSet();

  /**
   * Makes the reader of a message.
   *
   * @param wanted by the fields; of a oneof all fields, if any
   */
  MessageNode(Map<FieldDescriptor, FieldNode> wanted) {
    Map<Integer, FieldDescriptor> sorted = new TreeMap<>();
    wanted.keySet().forEach(field -> sorted.put(field.getNumber(), field));
    this.fields = sorted.values().toArray(FieldDescriptor[]::new);
    this.numbers = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
    this.nodes = sorted.values().stream().map(wanted::get).toArray(FieldNode[]::new);
    this.alternatives = new int[fields.length];
    for (int i = 0; i < fields.length; i++) {
      alternatives[i] = firstAlternative(i);
    }
  }

  private int firstAlternative(int index) {
    for (int i = 0; i < index && fields[index].getRealContainingOneof() != null; i++) {
      if (fields[i].getRealContainingOneof() == fields[index].getRealContainingOneof()) {
        return i;
      }
    }
    return index;
  }

  /** Reads to the message's end. */
  void read(ProtobufInput in, FieldValues into) throws IOException, InvalidExampleException {
    seen.clear();
    for (FieldNode node : nodes) {
      node.begin(into);
    }
    int expected = 0;
    for (int tag = in.nextTag(); tag != 0; tag = in.nextTag()) {
      int index = find(WireFormat.getTagFieldNumber(tag), expected);
      if (index < 0) {
        in.skip(tag);
        continue;
      }
      mark(index);
      nodes[index].read(in, tag, into);
      // Fields mostly come in the order of their numbers.
      expected = fields[index].isRepeated() ? index : index + 1;
    }
    for (int i = 0; i < nodes.length; i++) {
      if (!seen.get(alternatives[i])) {
        nodes[i].absent(into);
      }
    }
  }

  private void mark(int index) throws InvalidExampleException {
    int alternative = alternatives[index];
    if (seen.get(alternative) && !fields[index].isRepeated()) {
      throw new InvalidExampleException(
          "\"%s\" is there twice, or together with another of its oneof"
              .formatted(fields[index].getName()));
    }
    seen.set(alternative);
  }

  private int find(int number, int expected) {
    if (expected < numbers.length && numbers[expected] == number) {
      return expected;
    }
    return Arrays.binarySearch(numbers, number);
  }
}
