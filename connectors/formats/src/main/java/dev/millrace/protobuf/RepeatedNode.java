package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.Targets;
import dev.millrace.protobuf.FieldNodes.Element;
import java.io.IOException;
import java.util.Map;

/** Counts the elements of a repeated field, and reads those that are wanted. */
final class RepeatedNode implements FieldNode {

  private final FieldDescriptor field;
  private final Targets targets;
  private final Targets lists;
  private final Element[] wanted;
  private final Element steps;
  private final boolean isMessage;

  /** Null of messages, which are skipped by their tag. */
  private final Element skipped;

  private int count;

  /** Takes the steps of this message. */
  private FieldValues sequence;

  /**
   * Makes the reader of a repeated field.
   *
   * @param targets of the array as a whole, which is no feature
   * @param lists those that take the array as a list; its elements are read as steps
   * @param wanted what reads elements, by their place
   * @param steps reads each element where all are wanted, else null
   */
  RepeatedNode(
      FieldDescriptor field,
      Targets targets,
      Targets lists,
      Map<Integer, Element> wanted,
      Element steps) {
    this.field = field;
    this.targets = targets;
    this.lists = lists;
    this.steps = steps;
    this.isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    this.skipped = isMessage ? null : FieldNodes.scalarElement(field, Targets.NONE);
    int length = wanted.keySet().stream().mapToInt(place -> place + 1).max().orElse(0);
    this.wanted = new Element[length];
    wanted.forEach((place, element) -> this.wanted[place] = element);
  }

  @Override
  public void begin(FieldValues into) {
    count = 0;
    // One without elements isn't written.
    sequence = lists.areSome() ? lists.setList(into) : into;
  }

  @Override
  public void read(ProtobufInput in, int tag, FieldValues into)
      throws IOException, InvalidExampleException {
    if (!lists.areSome()) {
      targets.setOther(into, "an array");
    }
    boolean isPacked =
        field.isPackable()
            && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    if (isPacked) {
      in.within(
          () -> {
            while (!in.stream().isAtEnd()) {
              element(in, tag, into);
            }
          });
    } else {
      FieldNodes.requireWire(
          field,
          tag,
          isMessage ? WireFormat.WIRETYPE_LENGTH_DELIMITED : field.getLiteType().getWireType());
      element(in, tag, into);
    }
  }

  private void element(ProtobufInput in, int tag, FieldValues into)
      throws IOException, InvalidExampleException {
    int place = count++;
    if (steps != null) {
      steps.read(in, sequence.addStep());
    } else if (place < wanted.length && wanted[place] != null) {
      wanted[place].read(in, into);
    } else if (isMessage) {
      in.skip(tag);
    } else {
      skipped.read(in, into);
    }
  }
}
