package dev.millrace.fields.json;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A place in a record that planned paths lead to or through. */
final class JsonPlace {

  static final int NONE = -1;

  /** The index of the value here that is wanted, or {@link #NONE}. */
  private int field = NONE;

  /** Whether an array here is wanted whole. */
  private boolean list;

  /** The tree of each element where the sequence is here, else null. */
  private JsonPlace element;

  private final Map<String, JsonPlace> members = new HashMap<>();
  private final Map<Integer, JsonPlace> elements = new HashMap<>();

  /** The object in which this member was seen last, by its number. */
  private long seenIn;

  private JsonPlace() {}

  static JsonPlace of(FieldPlan plan) {
    JsonPlace root = of(plan.fields());
    plan.lists().forEach(i -> root.at(plan.fields().get(i)).list = true);
    plan.sequence().ifPresent(path -> root.at(path).element = of(plan.stepFields()));
    return root;
  }

  private static JsonPlace of(List<FieldPath> paths) {
    JsonPlace root = new JsonPlace();
    for (int i = 0; i < paths.size(); i++) {
      root.at(paths.get(i)).field = i;
    }
    return root;
  }

  private JsonPlace at(FieldPath path) {
    JsonPlace place = this;
    for (Object step : path.steps()) {
      place =
          step instanceof Integer number
              ? place.elements.computeIfAbsent(number, key -> new JsonPlace())
              : place.members.computeIfAbsent((String) step, key -> new JsonPlace());
    }
    return place;
  }

  int field() {
    return field;
  }

  boolean isList() {
    return list;
  }

  /** Null where no sequence is here. */
  JsonPlace sequenceElement() {
    return element;
  }

  /** Null where no path goes there. */
  JsonPlace member(String name) {
    return members.get(name);
  }

  /** Null where no path goes there. */
  JsonPlace element(int number) {
    return elements.get(number);
  }

  boolean hasMembers() {
    return !members.isEmpty();
  }

  boolean hasElements() {
    return !elements.isEmpty();
  }

  /** Whether it is the first of its name in an object, by the object's number. */
  boolean isFirstIn(long object) {
    boolean first = seenIn != object;
    seenIn = object;
    return first;
  }
}
