package dev.millrace.avro;

import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.Targets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Nodes of values that hold others. */
final class NestedNodes {

  private NestedNodes() {}

  static AvroNode union(AvroNode[] branches) {
    return (in, into) ->
        branches[in.readChoice(branches.length, "the branch of a union")].read(in, into);
  }

  static AvroNode record(AvroNode[] fields) {
    return (in, into) -> {
      in.enterRecord(fields.length);
      for (AvroNode field : fields) {
        field.read(in, into);
      }
      in.leave();
    };
  }

  /**
   * Reads an array of which some elements are wanted.
   *
   * @param wanted by their place
   */
  static AvroNode array(Map<Integer, AvroNode> wanted, AvroNode skip) {
    int last = wanted.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
    AvroNode[] first = new AvroNode[last + 1];
    for (int place = 0; place <= last; place++) {
      first[place] = wanted.getOrDefault(place, skip);
    }
    return (in, into) -> {
      in.enter();
      int place = 0;
      for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
        for (long i = 0; i < count; i++, place++) {
          (place < first.length ? first[place] : skip).read(in, into);
        }
      }
      in.leave();
    };
  }

  /** Reads an array whose elements are the steps of a sequence. */
  static AvroNode sequence(AvroNode step) {
    return (in, into) -> {
      in.enter();
      for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
        for (long i = 0; i < count; i++) {
          step.read(in, into.addStep());
        }
      }
      in.leave();
    };
  }

  /**
   * Reads an array that is wanted whole.
   *
   * @param targets the fields that it is of
   */
  static AvroNode list(Targets targets, AvroNode element) {
    AvroNode elements = sequence(element);
    return (in, into) -> elements.read(in, targets.setList(into));
  }

  /**
   * Reads a map of which some values are wanted.
   *
   * @param names the keys of those
   * @param values in the same order
   */
  static AvroNode map(String[] names, AvroNode[] values, AvroNode skip) {
    BitSet seen = new BitSet(names.length);
    Map<String, Integer> places = new HashMap<>();
    for (int place = 0; place < names.length; place++) {
      places.put(names[place], place);
    }
    return (in, into) -> {
      in.enter();
      seen.clear();
      for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
        for (long i = 0; i < count; i++) {
          String name = in.readText();
          Integer place = places.get(name);
          if (place == null) {
            skip.read(in, into);
            continue;
          }
          if (seen.get(place)) {
            throw new InvalidExampleException("%s is there twice".formatted(Excerpt.of(name)));
          }
          seen.set(place);
          values[place].read(in, into);
        }
      }
      in.leave();
    };
  }
}
