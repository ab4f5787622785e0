package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.Targets;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads those entries of a map whose keys are wanted. A key is text, or written as text: {@code 7},
 * {@code true}.
 */
final class MapNode implements FieldNode {

  private static final int KEY = 1;

  /** Where an entry's key is put to be compared. */
  private static final FieldPlan KEY_ALONE =
      new FieldPlan(List.of(FieldPath.of("key")), Optional.empty(), List.of());

  private final FieldDescriptor field;
  private final Targets targets;
  private final ScalarType key;
  private final int keyWire;
  private final FieldValues found = new FieldValues(KEY_ALONE);
  private final String[] names;
  private final MessageNode[] entries;
  private final BitSet seen = new BitSet();

  /**
   * Makes the reader of a map.
   *
   * @param targets of the map as a whole, which is no feature
   * @param wanted for each key what reads its entry
   */
  MapNode(FieldDescriptor field, Targets targets, Map<String, MessageNode> wanted) {
    this.field = field;
    this.targets = targets;
    FieldDescriptor keyField = field.getMessageType().findFieldByNumber(KEY);
    this.key = new ScalarType(keyField);
    this.keyWire = keyField.getLiteType().getWireType();
    this.names = wanted.keySet().toArray(String[]::new);
    this.entries = wanted.values().toArray(MessageNode[]::new);
  }

  @Override
  public void begin(FieldValues into) {
    seen.clear();
  }

  @Override
  public void read(ProtobufInput in, int tag, FieldValues into)
      throws IOException, InvalidExampleException {
    FieldNodes.requireWire(field, tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    targets.setOther(into, "a map");
    key.setDefault(found, FIRST);
    int[] range = new int[2];
    // The key may stand behind the value, so the entry is read once more if it is wanted.
    in.within(
        () -> {
          range[0] = in.position();
          for (int part = in.nextTag(); part != 0; part = in.nextTag()) {
            if (WireFormat.getTagFieldNumber(part) == KEY
                && WireFormat.getTagWireType(part) == keyWire) {
              key.read(in, found, FIRST);
            } else {
              in.skip(part);
            }
          }
          range[1] = in.position();
        });
    String name = text();
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        if (seen.get(i)) {
          throw new InvalidExampleException("%s is there twice".formatted(Excerpt.of(name)));
        }
        seen.set(i);
        MessageNode entry = entries[i];
        in.again(range[0], range[1] - range[0], () -> entry.read(in, into));
      }
    }
  }

  private static final Targets FIRST = new Targets(List.of(0));

  private String text() {
    return switch (found.kind(0)) {
      case TEXT -> found.textAt(0);
      case BOOLEAN -> Boolean.toString(found.booleanAt(0));
      case LONG -> Long.toString(found.longAt(0));
      default -> "";
    };
  }
}
